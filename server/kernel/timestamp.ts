const MICROS_PER_MILLI = 1000;

/**
 * The one stored timestamp form, `YYYY-MM-DDTHH:MM:SS.ffffff+00:00` (decisions 11), so that stored
 * times sort as text. `epochMs` is milliseconds since the epoch; a fraction becomes microseconds.
 */
export function toTimestamp(epochMs: number): string {
  // A double of today's times is right to a quarter of a microsecond: the nearest one is meant.
  const rounded = Math.round((epochMs - Math.floor(epochMs)) * MICROS_PER_MILLI);
  const whole = Math.floor(epochMs) + Math.floor(rounded / MICROS_PER_MILLI);
  const micros = rounded % MICROS_PER_MILLI;
  const iso = new Date(whole).toISOString();
  return `${iso.slice(0, 23)}${String(micros).padStart(3, '0')}+00:00`;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || '0')];
  return hours < 24 && minutes < 60 ? sign * (hours * 60 + minutes) : undefined;
}

/**
 * Parses ISO-8601 text (date only, `Z`, an offset, or naive = UTC) to epoch milliseconds with
 * fraction; undefined when it is no such text or no such day.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const utc = Date.UTC(y, mo - 1, d, h, mi, s);
  const back = new Date(utc);
  const exact =
    back.getUTCMonth() === mo - 1 && back.getUTCDate() === d && h < 24 && mi < 60 && s < 60;
  const offset = offsetMinutes(zone);
  if (!exact || offset === undefined) return undefined;
  const millis = fraction === '' ? 0 : Number(`0.${fraction}`) * 1000;
  return utc + millis - offset * 60_000;
}
