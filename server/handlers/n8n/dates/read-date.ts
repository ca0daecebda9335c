import { DateTime, type DateTimeUnit, FixedOffsetZone, type Zone } from 'luxon';
import { FieldFailure } from '../fields.ts';
import { millisLikeDate } from '../moments.ts';

const ISO =
  /^([+-]\d{6}|\d{4})(-?\d\d(-?\d\d)?|-?\d{3}|-?W\d\d(-?\d)?)([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?\s*(Z|[+-]\d\d(:?\d\d)?)?)?$/;
/** A number with fewer digits is one of seconds. */
const FIRST_OF_MILLIS = 1e11;

export interface DateReading {
  /** The zone in which the date is given on; absent: that of the text, or UTC. */
  readonly zone?: string | undefined;
  readonly fromFormat?: string | undefined;
}

function ofNumber(number: number): DateTime {
  const whole = Number.isInteger(number) ? number : Math.round(number * 1000);
  return Math.abs(whole) < FIRST_OF_MILLIS
    ? DateTime.fromSeconds(whole)
    : DateTime.fromMillis(whole);
}

/** A text as the source's process read it, which was in UTC. */
function ofText(text: string): DateTime {
  const given = text.trim();
  if (ISO.test(given))
    return DateTime.fromISO(given.replace(/[T ](?=\d\d)/, 'T').replace(/\s/g, ''), { zone: 'utc' });
  return DateTime.fromMillis(millisLikeDate(given));
}

/** The hours behind the plus of a text are the zone of its date. */
function zoneIn(text: string): Zone {
  const [, hours] = /\+(\d\d)/.exec(text) ?? [];
  return hours === undefined
    ? FixedOffsetZone.utcInstance
    : FixedOffsetZone.instance(Number(hours) * 60);
}

function parsed(value: unknown, fromFormat: string): DateTime {
  if (fromFormat !== '') return DateTime.fromFormat(String(value), fromFormat, { zone: 'utc' });
  const number = Number(value);
  return Number.isNaN(number) ? ofText(String(value)) : ofNumber(number);
}

/** What a setting says is a date, in a zone. @throws FieldFailure when it is none */
export function readDate(value: unknown, { zone, fromFormat = '' }: DateReading): DateTime {
  const own = typeof value === 'string' ? zoneIn(value) : FixedOffsetZone.utcInstance;
  const date = millisKept(parsed(value, fromFormat)).setZone(zone ?? own);
  if (!date.isValid) throw new FieldFailure('Invalid date format');
  return date;
}

/** An invalid date stays invalid in every zone. */
function millisKept(date: DateTime): DateTime {
  return date.isValid ? date : DateTime.invalid('unparsable');
}

const UNITS = [
  ...['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'],
] as const satisfies readonly DateTimeUnit[];

/** A unit of time by its name, in the singular or plural. @throws FieldFailure */
export function unitOf(name: string): DateTimeUnit {
  const unit = UNITS.find((one) => one === name || `${one}s` === name);
  if (unit === undefined) throw new FieldFailure(`'${name}' is no unit of time`);
  return unit;
}
