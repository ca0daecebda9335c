import { DateTime } from 'luxon';
import { decodeBase64, encodeBase64, fromUtf8, toUtf8 } from '../bytes.ts';
import { askHost } from '../host.ts';
import { type Extensions, fail } from './kinds.ts';
import { momentOfNumber } from './numbers.ts';

const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[A-Za-z]{2,}/;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)/i;
const URL_INSIDE = /https?:\/\/(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?[^\s"'<>)]*/i;
const WHOLE_URL = /^https?:\/\/[^\s/?#]+\.?[^\s]*$/i;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i;
const NO = new Set(['false', 'no', 'n', 'off', '0', '']);
const ENCODED_HASHES = new Set(['base64']);

function parsedBy(read: (text: string) => number, kind: string) {
  return (text: string): number => {
    const value = read(text);
    return Number.isNaN(value) ? fail(`cannot convert to ${kind}`) : value;
  };
}

/** Reads what the source takes for a date: a zone in the text stays, else it is the workflow's. */
export function toDateTime(text: string, format?: string): DateTime {
  if (format !== undefined && /^(?:ms|s|us|excel)$/.test(format))
    return momentOfNumber(Number(text), format);
  const tries = [
    () => DateTime.fromISO(text, { setZone: true }),
    () => DateTime.fromSQL(text, { setZone: true }),
    () => DateTime.fromRFC2822(text, { setZone: true }),
    () => DateTime.fromHTTP(text, { setZone: true }),
    () => DateTime.fromJSDate(new Date(text)),
  ];
  if (format !== undefined) tries.unshift(() => DateTime.fromFormat(text, format));
  for (const read of tries) {
    const moment = read();
    if (moment.isValid) return moment;
  }
  return fail('cannot convert to Luxon DateTime');
}

function domainOf(text: string): string | undefined {
  const address = EMAIL.exec(text)?.[0];
  if (address !== undefined && address === text) return address.slice(address.indexOf('@') + 1);
  const inside = URL_START.exec(text)?.[1] ?? URL_START.exec(URL_INSIDE.exec(text)?.[0] ?? '')?.[1];
  return inside ?? /(?:[a-z0-9-]+\.)+[a-z]{2,}/i.exec(text)?.[0];
}

function removeMarkdown(text: string): string {
  return text
    .replaceAll(/^\s{0,3}(?:[-*_]\s*){3,}$/gm, '')
    .replaceAll(/^([\s\t]*)(?:[*\-+]|\d+\.)\s+/gm, '$1')
    .replaceAll(/^[=-]{2,}\s*$/gm, '')
    .replaceAll(/`{3}.*\n/g, '')
    .replaceAll('~~', '')
    .replaceAll(/!\[([^\]]*)\][[(][^\])]*[\])]/g, '$1')
    .replaceAll(/\[([^\]]*)\][[(][^\])]*[\])]/g, '$1')
    .replaceAll(/^\s{0,3}>\s?/gm, '')
    .replaceAll(/^#{1,6}\s*([^#]*?)\s*#*$/gm, '$1')
    .replaceAll(/\*([^*]+)\*/g, '$1')
    .replaceAll(/(`{1,3})([^`]+)\1/g, '$2');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
}

export const STRING_EXTENSIONS: Extensions = {
  base64Decode: (text: string) => fromUtf8(decodeBase64(text)),
  base64Encode: (text: string) => encodeBase64(toUtf8(text)),
  extractDomain: domainOf,
  extractEmail: (text: string) => EMAIL.exec(text)?.[0],
  extractUrl: (text: string) => URL_INSIDE.exec(text)?.[0],
  extractUrlPath: (text: string) => {
    const path = URL_START.exec(text)?.[2];
    return path === '' ? '/' : path;
  },
  hash: (text: string, algorithm = 'md5') => {
    const wanted = algorithm.toLowerCase();
    if (ENCODED_HASHES.has(wanted)) return encodeBase64(toUtf8(text));
    return (
      (askHost('hash', [wanted, text]) as string | null) ??
      fail(
        `Unknown algorithm ${algorithm}. Available algorithms are: base64, md5, sha1, sha224, sha256, sha384, sha512, sha3, ripemd160`,
      )
    );
  },
  isDomain: (text: string) => DOMAIN.test(text),
  isEmail: (text: string) => EMAIL.exec(text)?.[0] === text,
  isEmpty: (text: string) => text === '',
  isNotEmpty: (text: string) => text !== '',
  isNumeric: (text: string) => text.trim() !== '' && !Number.isNaN(Number(text)),
  isUrl: (text: string) => WHOLE_URL.test(text),
  parseJson: (text: string) => {
    try {
      return JSON.parse(text);
    } catch {
      return fail('Parsing failed');
    }
  },
  quote: (text: string, mark = '"') =>
    mark + text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark,
  removeMarkdown,
  removeTags: (text: string) => text.replaceAll(/<[^>]*>/g, ''),
  replaceSpecialChars: (text: string) =>
    text
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o')
      .replaceAll('æ', 'ae')
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036f]/g, ''),
  toBoolean: (text: string) => !NO.has(text.trim().toLowerCase()),
  toDate: (text: string) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? fail('cannot convert to date') : date;
  },
  toDateTime,
  toDecimalNumber: parsedBy(Number.parseFloat, 'float'),
  toFloat: parsedBy(Number.parseFloat, 'float'),
  toInt: parsedBy((text) => Number.parseInt(text, 10), 'integer'),
  toJsonString: (text: string) => JSON.stringify(text),
  toNumber: parsedBy((text) => (text.trim() === '' ? Number.NaN : Number(text)), 'number'),
  toSentenceCase: (text: string) =>
    text.toLowerCase().replaceAll(/(^\s*|[.!?]\s+)(\p{L})/gu, (_, before, letter) => {
      return before + String(letter).toUpperCase();
    }),
  toSnakeCase: (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[ -]/g, '_')
      .replaceAll(/[^\p{L}\p{N}_]/gu, ''),
  toTitleCase: (text: string) => text.replaceAll(/[\p{L}\p{N}'’]+/gu, capital),
  toWholeNumber: parsedBy((text) => Number.parseInt(text, 10), 'integer'),
  urlDecode: (text: string, entire = false) =>
    entire ? decodeURI(text) : decodeURIComponent(text),
  urlEncode: (text: string, entire = false) =>
    entire ? encodeURI(text) : encodeURIComponent(text),
};
