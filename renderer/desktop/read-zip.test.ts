import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readZip } from './read-zip.ts';

interface Member {
  readonly name: string;
  readonly data: Buffer;
  readonly size?: number;
  readonly stored?: boolean;
}

function zipOf(members: readonly Member[]): ArrayBuffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, size = data.length, stored = false } of members) {
    const packed = stored ? data : deflateRawSync(data);
    const text = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(text.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, text, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, text]),
    );
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  const bytes = Buffer.concat([...files, central, Buffer.from('PK\u0005\u0006'), end]);
  return new Uint8Array(bytes).buffer;
}

const all = (): boolean => true;

describe('a dropped zip archive', () => {
  it('gives its members by name', async () => {
    const found = await readZip(
      zipOf([
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
      zipOf([
        { name: 'honest.json', data: bomb },
        { name: 'liar.json', data: bomb, size: 100 },
      ]),
      all,
    );
    expect(found?.map(({ problem }) => problem)).toEqual(['too_large', 'unreadable']);
  });

  it('that is none, or damaged, is said to be so', async () => {
    const whole = new Uint8Array(zipOf([{ name: 'a.json', data: Buffer.from('{"a":[1,2,3]}') }]));
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
