import type { Json } from '../../kernel/json.ts';
import type { SourceScalar } from './source-map.ts';

/** What a scalar stands for, or why it cannot be read. */
export type ResolvedScalar =
  | { readonly type: SourceScalar['type']; readonly value: Json }
  | { readonly problem: string };

const TRUE = new Set(['yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const FALSE = new Set(['no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const NULL = new Set(['', '~', 'null', 'Null', 'NULL']);

const BINARY = /^[-+]?0b[0-1_]+$/;
const OCTAL = /^[-+]?0[0-7_]+$/;
const DECIMAL = /^[-+]?(?:0|[1-9][0-9_]*)$/;
const HEX = /^[-+]?0x[0-9a-fA-F_]+$/;
const SEXAGESIMAL = /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;
const SEXAGESIMAL_FLOAT = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$/;

const LARGEST = 2n ** 53n;
const TOO_LARGE =
  'This integer is beyond ±2^53 and would lose digits; write it as quoted text or use a smaller number.';
const NO_FINITE = 'This number is not finite; write a number that a 64-bit float can hold.';

function whole(digits: string, radix: string, negative: boolean): ResolvedScalar {
  if (digits === '') return { problem: 'This number has no digits.' };
  const value = BigInt(radix + digits);
  if (value > LARGEST) return { problem: TOO_LARGE };
  return { type: 'number', value: negative && value !== 0n ? -Number(value) : Number(value) };
}

function sixties(text: string): bigint {
  return text.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);
}

function integer(text: string): ResolvedScalar | undefined {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  if (DECIMAL.test(text)) return whole(digits, '', negative);
  if (BINARY.test(text)) return whole(digits.slice(2), '0b', negative);
  if (HEX.test(text)) return whole(digits.slice(2), '0x', negative);
  if (OCTAL.test(text)) return whole(digits.slice(1), '0o', negative);
  if (SEXAGESIMAL.test(text)) return whole(String(sixties(digits)), '', negative);
  return undefined;
}

function float(text: string): ResolvedScalar | undefined {
  if (NOT_FINITE.test(text)) return { problem: NO_FINITE };
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  let value: number;
  if (FLOAT.test(text)) value = Number(digits);
  else if (SEXAGESIMAL_FLOAT.test(text)) {
    value = digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  } else return undefined;
  return Number.isFinite(value) ? { type: 'number', value: sign * value } : { problem: NO_FINITE };
}

function isDay(year: number, month: number, day: number): boolean {
  const back = new Date(Date.UTC(2000, month - 1, day));
  back.setUTCFullYear(year, month - 1, day);
  return year > 0 && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
}

function zoneText(zone: string | undefined): string {
  if (zone === undefined) return '';
  if (zone === 'Z') return '+00:00';
  const [hours = '', minutes = ''] = zone.slice(1).includes(':')
    ? zone.slice(1).split(':')
    : [zone.slice(1, 3), zone.slice(3)];
  return `${zone[0]}${hours.padStart(2, '0')}:${minutes.padEnd(2, '0')}`;
}

function date(text: string): ResolvedScalar | undefined {
  const match = DATE.exec(text) ?? TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour, minute = '', second = '', part, zone] = match;
  const sane =
    isDay(Number(year), Number(month), Number(day)) &&
    Number(hour ?? 0) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  if (!sane) return { problem: `${text} is no day of the calendar; quote it if text is meant.` };
  const dayText = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (hour === undefined) return { type: 'date', value: dayText };
  const fraction = part ? `.${part.slice(0, 6).padEnd(6, '0')}` : '';
  const time = `${hour.padStart(2, '0')}:${minute}:${second}${fraction}`;
  return { type: 'date', value: `${dayText}T${time}${zoneText(zone)}` };
}

const DIGIT_START = /^[-+.0-9]/;

/** The YAML 1.1 meaning of a plain scalar (spec-v1 1). `y` and `n` are text. */
export function resolvePlain(text: string): ResolvedScalar {
  if (DIGIT_START.test(text)) {
    return integer(text) ?? float(text) ?? date(text) ?? { type: 'text', value: text };
  }
  if (text.length <= 5) {
    if (TRUE.has(text)) return { type: 'boolean', value: true };
    if (FALSE.has(text)) return { type: 'boolean', value: false };
    if (NULL.has(text)) return { type: 'null', value: null };
  }
  return { type: 'text', value: text };
}

const TAG_TYPES: Readonly<Record<string, SourceScalar['type']>> = {
  'tag:yaml.org,2002:str': 'text',
  'tag:yaml.org,2002:int': 'number',
  'tag:yaml.org,2002:float': 'number',
  'tag:yaml.org,2002:bool': 'boolean',
  'tag:yaml.org,2002:null': 'null',
  'tag:yaml.org,2002:timestamp': 'date',
};

/** The meaning of a scalar with a tag; only the tags of the core types are known. */
export function resolveTagged(tag: string, text: string): ResolvedScalar {
  const type = TAG_TYPES[tag];
  if (type === undefined) return { problem: `The tag ${tag} is not supported; remove it.` };
  if (type === 'text') return { type, value: text };
  const found = resolvePlain(text);
  if ('problem' in found || found.type === type) return found;
  return { problem: `"${text}" cannot be read as the tag says (${type}).` };
}
