/** A member of an archive: its name and its content, or why it was not read. */
export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly problem: 'too_large' | 'unreadable' | null;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_MEMBERS = 10_000;
const MAX_MEMBER_BYTES = 2 * 1_048_576;
const MAX_TOTAL_BYTES = 256 * 1_048_576;

interface Listed {
  readonly name: string;
  readonly method: number;
  readonly locked: boolean;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

function findEnd(view: DataView): number | undefined {
  const last = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= last; at -= 1) {
    if (view.getUint32(at, true) === END) {
      return at;
    }
  }
  return undefined;
}

function listMembers(view: DataView): Listed[] | undefined {
  const end = findEnd(view);
  if (end === undefined) {
    return undefined;
  }
  const count = view.getUint16(end + 10, true);
  if (count > MAX_MEMBERS) {
    return undefined;
  }
  const found: Listed[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== DIRECTORY) {
      return undefined;
    }
    const length = view.getUint16(at + 28, true);
    found.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, length)),
      method: view.getUint16(at + 10, true),
      locked: (view.getUint16(at + 8, true) & 1) === 1,
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

/** Unpacks a member; undefined when it has more or fewer bytes than the directory says. */
async function unpack(
  packed: Uint8Array<ArrayBuffer>,
  member: Listed,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (member.method === 0) {
    return packed;
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(member.size);
  let filled = 0;
  for await (const part of stream) {
    if (filled + part.length > member.size) {
      return undefined;
    }
    bytes.set(part, filled);
    filled += part.length;
  }
  return filled === member.size ? bytes : undefined;
}

async function readMember(view: DataView<ArrayBuffer>, member: Listed): Promise<ZipMember> {
  const { name } = member;
  const unreadable = { name, bytes: null, problem: 'unreadable' } as const;
  if (member.size > MAX_MEMBER_BYTES) {
    return { name, bytes: null, problem: 'too_large' };
  }
  if (member.locked || ![0, 8].includes(member.method)) {
    return unreadable;
  }
  try {
    if (view.getUint32(member.offset, true) !== LOCAL) {
      return unreadable;
    }
    const skip =
      view.getUint16(member.offset + 26, true) + view.getUint16(member.offset + 28, true);
    const start = member.offset + 30 + skip;
    const bytes = await unpack(new Uint8Array(view.buffer, start, member.packed), member);
    return bytes === undefined ? unreadable : { name, bytes, problem: null };
  } catch {
    return unreadable;
  }
}

/**
 * The wanted members of a zip archive, by name; undefined when it is none or has more than 10,000
 * files. Bounded in bytes whatever its directory says. Nothing is written, so names lead nowhere.
 */
export async function readZip(
  buffer: ArrayBuffer,
  wanted: (name: string) => boolean,
): Promise<ZipMember[] | undefined> {
  let listed: Listed[] | undefined;
  const view = new DataView(buffer);
  try {
    listed = buffer.byteLength < END_BYTES ? undefined : listMembers(view);
  } catch {
    return undefined;
  }
  if (listed === undefined) {
    return undefined;
  }
  const found: ZipMember[] = [];
  let total = 0;
  for (const member of listed.filter(({ name }) => !name.endsWith('/') && wanted(name))) {
    total += member.size;
    found.push(
      total > MAX_TOTAL_BYTES
        ? { name: member.name, bytes: null, problem: 'too_large' }
        : await readMember(view, member),
    );
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
