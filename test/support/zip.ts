import { crc32, deflateRawSync } from 'node:zlib';

/** A member of an archive. */
export interface ZipMember {
  readonly name: string;
  readonly data: Buffer;
  /** What the directory says of the size, true or not. */
  readonly size?: number;
  /** Not compressed. */
  readonly stored?: boolean;
  /** Kind and rights as Unix has them, such as `0o120777` for a link. */
  readonly unixMode?: number;
}

const UTF8_NAMES = 0x0800;

/** A zip archive as any program, also a hostile one, might write it. */
export function zipOf(members: readonly ZipMember[]): Buffer<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, size = data.length, stored = false, unixMode = 0 } of members) {
    const packed = stored ? data : deflateRawSync(data);
    const text = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(text.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, text, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(unixMode * 0x1_0000, 6);
    tail.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, unixMode === 0 ? 0 : 3]);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), madeBy, common, tail, text]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, Buffer.from('PK\u0005\u0006'), end]);
}
