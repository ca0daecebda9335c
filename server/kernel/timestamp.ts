const MICROS_PER_MILLI = 1000;

let last: { readonly second: number; readonly text: string } | undefined;

/** `YYYY-MM-DDTHH:MM:SS` of a whole second; what is written at once is of the same one. */
function secondText(second: number): string {
  if (last?.second !== second) {
    last = { second, text: new Date(second * 1000).toISOString().slice(0, -5) };
  }
  return last.text;
}

/**
 * The one stored timestamp form, `YYYY-MM-DDTHH:MM:SS.ffffff+00:00` (decisions 11), so that stored
 * times sort as text. `epochMs` is milliseconds since the epoch; a fraction becomes microseconds.
 */
export function toTimestamp(epochMs: number): string {
  // A double of today's times is right to a quarter of a microsecond: the nearest one is meant.
  const rounded = Math.round((epochMs - Math.floor(epochMs)) * MICROS_PER_MILLI);
  const whole = Math.floor(epochMs) + Math.floor(rounded / MICROS_PER_MILLI);
  const micros = rounded % MICROS_PER_MILLI;
  const second = Math.floor(whole / 1000);
  const fraction = String((whole - second * 1000) * MICROS_PER_MILLI + micros).padStart(6, '0');
  return `${secondText(second)}.${fraction}+00:00`;
}

const DAY_CHARS = 'YYYY-MM-DD'.length;

/** The day in UTC of a moment in milliseconds since the epoch, as YYYY-MM-DD. */
export function utcDay(epochMs: number): string {
  return toTimestamp(epochMs).slice(0, DAY_CHARS);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$|^(\d{4})(\d{2})(\d{2})$|^(\d{4})-?W(\d{2})(?:-?(\d))?$/;
const TIME =
  /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const DAY_MS = 86_400_000;
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || '0')];
  return hours < 24 && minutes < 60 ? sign * (hours * 60 + minutes) : undefined;
}

/** Midnight of a day of the calendar; undefined when there is no such day. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return year > 0 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
    ? at.getTime()
    : undefined;
}

/** Midnight of a day of an ISO week; week 1 holds the year's fourth of January. */
function weekDayOf(year: number, week: number, day: number): number | undefined {
  const fourth = dayOf(year, 1, 4);
  if (fourth === undefined || week < 1 || week > 53 || day < 1 || day > 7) return undefined;
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const at = monday + ((week - 1) * 7 + day - 1) * DAY_MS;
  const thursday = new Date(monday + ((week - 1) * 7 + 3) * DAY_MS);
  return thursday.getUTCFullYear() === year ? at : undefined;
}

function parseDate(text: string): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, y1, m1, d1, y2, m2, d2, weekYear, week, weekDay = '1'] = match;
  if (week !== undefined) return weekDayOf(Number(weekYear), Number(week), Number(weekDay));
  return dayOf(Number(y1 ?? y2), Number(m1 ?? m2), Number(d1 ?? d2));
}

function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, hour, minute = '0', second = '0', fraction = '', zone] = match;
  const [h, mi, s] = [Number(hour), Number(minute), Number(second)];
  const offset = offsetMinutes(zone);
  if (h > 23 || mi > 59 || s > 59 || offset === undefined) return undefined;
  const millis = fraction === '' ? 0 : Number(`0.${fraction}`) * 1000;
  return ((h * 60 + mi - offset) * 60 + s) * 1000 + millis;
}

/**
 * Parses ISO-8601 text to epoch milliseconds with fraction: a day (extended, basic or of a week),
 * alone or with a time, `Z`, an offset or naive = UTC. Undefined when it is no such text, no such
 * day, or outside of the years 1 to 9999 that the stored form can say.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, date = '', time] = /^([\dW-]+)(?:[Tt ](.+))?$/.exec(text.trim()) ?? [];
  const day = parseDate(date);
  const within = time === undefined ? 0 : parseTime(time);
  if (day === undefined || within === undefined) return undefined;
  const at = day + within;
  // The last microseconds of 9999 are nearer to the next year than a double can tell.
  return at >= FIRST_MS && at <= LAST_MS + 1 ? Math.min(at, LAST_MS) : undefined;
}

/** As parseTimestamp, of a word of a query: a `+` that nobody encoded has become a space. */
export function parseQueryTimestamp(text: string): number | undefined {
  return parseTimestamp(text) ?? parseTimestamp(text.replace(/ (\d{2}:?\d{2})$/, '+$1'));
}
