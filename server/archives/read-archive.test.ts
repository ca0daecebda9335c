import { describe, expect, it } from 'vitest';
import { type ZipMember, zipOf } from '../../test/support/zip.ts';
import { readArchive } from './read-archive.ts';

const read = (bytes: Uint8Array<ArrayBuffer>) => readArchive(new Blob([bytes]));

/** What a file of these members gives: names with their texts, or with what is wrong. */
async function told(members: readonly ZipMember[]) {
  const found = await read(zipOf(members));
  if (typeof found === 'string') return found;
  return found.map(({ name, content }) => [
    name,
    typeof content === 'string' ? content : Buffer.from(content).toString(),
  ]);
}

describe('a zip archive', () => {
  it('gives the members that may be exports, by name', async () => {
    expect(
      await told([
        { name: 'b.json', data: Buffer.from('{"b":1}') },
        { name: 'a/ä.yml', data: Buffer.from('{}'), stored: true },
        { name: 'a/', data: Buffer.alloc(0), stored: true },
        { name: 'a/picture.png', data: Buffer.from('png') },
        { name: '__MACOSX/b.json', data: Buffer.from('{}') },
        { name: 'inner.zip', data: zipOf([{ name: 'a.json', data: Buffer.from('{}') }]) },
      ]),
    ).toEqual([
      ['a/ä.yml', '{}'],
      ['b.json', '{"b":1}'],
      ['inner.zip', 'archive'],
    ]);
  });

  it('that lies about its sizes costs no more than it says', async () => {
    const bomb = Buffer.alloc(30 * 1024 * 1024);
    expect(
      await told([
        { name: 'honest.json', data: bomb },
        { name: 'liar.json', data: bomb, size: 100 },
        { name: 'short.json', data: Buffer.from('{}'), size: 100 },
      ]),
    ).toEqual([
      ['honest.json', 'too_large'],
      ['liar.json', 'damaged'],
      ['short.json', 'damaged'],
    ]);
  });

  it('is read up to a limit in all', async () => {
    const data = Buffer.from('{}');
    const size = 2 * 1024 * 1024;
    const found = await told(
      Array.from({ length: 130 }, (_, at) => ({ name: `${at + 100}.json`, data, size })),
    );
    expect(found.slice(-3)).toEqual([
      ['227.json', 'damaged'],
      ['228.json', 'archive_too_large'],
      ['229.json', 'archive_too_large'],
    ]);
  });

  it('with too many members, or with a name that leads out, is refused as a whole', async () => {
    const data = Buffer.from('{}');
    const many = Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}.txt`, data }));
    expect(await told(many)).toBe('too_many_members');
    for (const name of ['../../a.json', '/a.json', 'C:/a.json', 'a\\..\\..\\b.json']) {
      expect(await told([{ name, data }])).toBe('leads_out');
    }
  });

  it('that is none, or damaged, is said to be so', async () => {
    const whole = zipOf([{ name: 'a.json', data: Buffer.from('{"a":[1,2,3]}') }]);
    expect(await read(new TextEncoder().encode('no archive at all, really'))).toBe('unreadable');
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Uint8Array.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const found = await read(damaged);
      expect(typeof found === 'string' || found.length <= 1).toBe(true);
    }
  });
});
