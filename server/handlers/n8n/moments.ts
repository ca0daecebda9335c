import { DateTime } from 'luxon';
import type { Value } from '../../expressions/port/values.ts';

const WITHOUT_ZONE = /^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+$/;

/**
 * Milliseconds of a text as JavaScript's Date reads it in a process in UTC, which the source's was;
 * NaN when it is no date.
 */
export function millisLikeDate(text: string): number {
  if (WITHOUT_ZONE.test(text)) return Date.parse(`${text}Z`);
  const inUtc = Date.parse(`${text} UTC`);
  return Number.isNaN(inUtc) ? Date.parse(text) : inUtc;
}

/** Milliseconds of a text in any form that the source takes for a date, in a zone; NaN for none. */
function millisOfText(text: string, zone: string): number {
  const given = text.trim();
  const options = { zone, setZone: true };
  const read = [
    DateTime.fromISO(given, options),
    DateTime.fromHTTP(given, options),
    DateTime.fromRFC2822(given, options),
    DateTime.fromSQL(given, options),
  ].find(({ isValid }) => isValid);
  return read?.toMillis() ?? millisLikeDate(given);
}

/** Milliseconds of a value that stands for a moment; NaN when it does not. */
export function millisOf(value: Value, zone: string): number {
  switch (value.kind) {
    case 'date':
      return value.time ?? Number.NaN;
    case 'moment':
      return value.iso === null ? Number.NaN : Date.parse(value.iso);
    case 'json':
      return typeof value.value === 'object' ? Number.NaN : millisOfText(String(value.value), zone);
    default:
      return Number.NaN;
  }
}
