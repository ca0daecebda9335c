import { describe, expect, it } from 'vitest';
import { type ZipMember, zipOf } from '../../test/support/zip.ts';
import { readZip } from './read-zip.ts';

/** What a dropped file gives. */
function archiveOf(members: readonly ZipMember[]): ArrayBuffer {
  return new Uint8Array(zipOf(members)).buffer;
}

const all = (): boolean => true;

describe('a dropped zip archive', () => {
  it('gives its members by name', async () => {
    const found = await readZip(
      archiveOf([
        { name: 'b.json', data: Buffer.from('{"b":1}') },
        { name: 'a/ä.json', data: Buffer.from('{}'), stored: true },
        { name: 'a/', data: Buffer.alloc(0), stored: true },
      ]),
      all,
    );
    expect(found?.map(({ name, bytes }) => [name, bytes && Buffer.from(bytes).toString()])).toEqual(
      [
        ['a/ä.json', '{}'],
        ['b.json', '{"b":1}'],
      ],
    );
  });

  it('that lies about its sizes costs no more than it says', async () => {
    const bomb = Buffer.alloc(30 * 1024 * 1024);
    const found = await readZip(
      archiveOf([
        { name: 'honest.json', data: bomb },
        { name: 'liar.json', data: bomb, size: 100 },
      ]),
      all,
    );
    expect(found?.map(({ problem }) => problem)).toEqual(['too_large', 'unreadable']);
  });

  it('that is none, or damaged, is said to be so', async () => {
    const whole = new Uint8Array(
      archiveOf([{ name: 'a.json', data: Buffer.from('{"a":[1,2,3]}') }]),
    );
    expect(await readZip(new TextEncoder().encode('no archive at all, really').buffer, all)).toBe(
      undefined,
    );
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const found = await readZip(damaged.buffer, all);
      expect(found === undefined || found.length <= 1).toBe(true);
    }
  });
});
