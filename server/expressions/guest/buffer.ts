// The part of Node's Buffer, and of the text coders, that the source offers to code.
import { decodeBase64, encodeBase64, fromUtf8, toUtf8 } from './bytes.ts';

type Coder = readonly [read: (text: string) => number[], write: (bytes: Uint8Array) => string];

function eachCharacter(mask: number): Coder {
  return [
    (text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) & 0xff),
    (bytes) => {
      const parts: string[] = [];
      for (const byte of bytes) parts.push(String.fromCharCode(byte & mask));
      return parts.join('');
    },
  ];
}

const LATIN1 = eachCharacter(0xff);
const UTF16: Coder = [
  (text) =>
    Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((code) => [
      code & 0xff,
      code >> 8,
    ]),
  (bytes) => {
    const parts: string[] = [];
    for (let at = 0; at + 1 < bytes.length; at += 2)
      parts.push(String.fromCharCode((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)));
    return parts.join('');
  },
];
const UTF8: Coder = [toUtf8, fromUtf8];

const CODERS: Readonly<Record<string, Coder>> = {
  utf8: UTF8,
  'utf-8': UTF8,
  hex: [
    (text) =>
      (text.match(/^(?:[0-9a-f]{2})*/i)?.[0].match(/../g) ?? []).map((byte) => Number(`0x${byte}`)),
    (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  ],
  base64: [decodeBase64, encodeBase64],
  base64url: [
    decodeBase64,
    (bytes) => encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ],
  latin1: LATIN1,
  binary: LATIN1,
  ascii: eachCharacter(0x7f),
  utf16le: UTF16,
  'utf-16le': UTF16,
  ucs2: UTF16,
};

function coderOf(name: string): Coder {
  const coder = CODERS[name.toLowerCase()];
  if (coder === undefined) throw new TypeError(`Unknown encoding: ${name}`);
  return coder;
}

type Source = string | ArrayLike<number> | ArrayBuffer;

function bytesOf(source: Source, encoding: string): ArrayLike<number> {
  if (typeof source === 'string') return coderOf(encoding)[0](source);
  return source instanceof ArrayBuffer ? new Uint8Array(source) : source;
}

export class GuestBuffer extends Uint8Array {
  static override from(source: unknown, encoding: unknown = 'utf8'): GuestBuffer {
    const bytes = bytesOf(source as Source, String(encoding));
    const buffer = new GuestBuffer(bytes.length);
    buffer.set(bytes);
    return buffer;
  }

  static alloc(length: number, fill = 0): GuestBuffer {
    const buffer = new GuestBuffer(length);
    buffer.fill(fill);
    return buffer;
  }

  static concat(list: readonly Uint8Array[]): GuestBuffer {
    const whole = new GuestBuffer(list.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of list) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof GuestBuffer;
  }

  static byteLength(source: Source, encoding = 'utf8'): number {
    return bytesOf(source, encoding).length;
  }

  override toString(encoding = 'utf8', start = 0, end = this.length): string {
    return coderOf(encoding)[1](this.subarray(start, end));
  }

  toJSON(): object {
    return { type: 'Buffer', data: Array.from(this) };
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }
}

/** Says of the class what code looks at. */
Object.defineProperty(GuestBuffer, 'name', { value: 'Buffer' });

export class TextEncoder {
  readonly encoding = 'utf-8';
  encode(text = ''): Uint8Array {
    return Uint8Array.from(toUtf8(text));
  }
}

export class TextDecoder {
  readonly encoding = 'utf-8';
  decode(bytes: Uint8Array = new Uint8Array()): string {
    return fromUtf8(bytes);
  }
}

function ofLatin1(text: string): number[] {
  for (let at = 0; at < text.length; at += 1)
    if (text.charCodeAt(at) > 0xff) throw new Error('Invalid character');
  return LATIN1[0](text);
}

export function btoa(text: unknown): string {
  return encodeBase64(ofLatin1(String(text)));
}

export function atob(text: unknown): string {
  return LATIN1[1](Uint8Array.from(decodeBase64(String(text))));
}
