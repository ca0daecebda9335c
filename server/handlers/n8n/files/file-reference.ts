import mime from 'mime';
import type { BinaryReference, Item } from '../../../items/item.ts';
import { FieldFailure } from '../fields.ts';

const KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^application\/json/, 'json'],
  [/^text\/html/, 'html'],
  [/^text\//, 'text'],
  [/^application\/pdf/, 'pdf'],
];

const UNITS = ['B', 'kB', 'MB', 'GB'];

function sizeText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${Number(amount.toPrecision(3))} ${UNITS[step]}`;
}

function extensionIn(fileName: string): string | undefined {
  return /\.([^./\\]+)$/.exec(fileName)?.[1];
}

export interface FileFacts {
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A file beside an item, with what the source tells of it. */
export function fileOf(bytes: Uint8Array, { fileName, mimeType }: FileFacts): BinaryReference {
  const named = fileName === undefined || fileName === '' ? undefined : fileName;
  const type = mimeType ?? (named === undefined ? null : mime.getType(named)) ?? 'text/plain';
  const fileType = KINDS.find(([pattern]) => pattern.test(type))?.[1];
  const fileExtension = (named && extensionIn(named)) ?? mime.getExtension(type);
  return {
    mimeType: type,
    ...(fileType === undefined ? {} : { fileType }),
    ...(fileExtension === null ? {} : { fileExtension }),
    data: bytes.toBase64(),
    ...(named === undefined ? {} : { fileName: named }),
    fileSize: sizeText(bytes.length),
    bytes: bytes.length,
  };
}

/** The file that an item has under a name. @throws FieldFailure when it has none */
export function fileNamed(item: Item, name: string): BinaryReference {
  const file = item.binary?.[name];
  if (file !== undefined) return file;
  throw new FieldFailure(
    `This operation expects the node's input data to contain a binary file '${name}', but none was found`,
  );
}

/** The bytes of a file. @throws FieldFailure when they are not kept with the item */
export function bytesOf({ data, fileName = '' }: BinaryReference): Uint8Array {
  if (data === undefined) throw new FieldFailure(`The content of the file '${fileName}' is gone`);
  try {
    return Uint8Array.fromBase64(data);
  } catch {
    throw new FieldFailure(`The content of the file '${fileName}' is not in base64`);
  }
}

/** Bytes as text in a charset; in UTF-8 when nobody knows it. A mark of the byte order is left out unless asked for. */
export function textOf(bytes: Uint8Array, charset = 'utf-8', keepsMark = false): string {
  try {
    return new TextDecoder(charset, { ignoreBOM: keepsMark }).decode(bytes);
  } catch (error) {
    if (charset === 'utf-8') throw error;
    return textOf(bytes, 'utf-8', keepsMark);
  }
}
