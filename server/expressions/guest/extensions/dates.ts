import {
  DateTime,
  type DateTimeUnit,
  Duration,
  type DurationLikeObject,
  type DurationUnit,
} from 'luxon';
import { type Extensions, fail } from './kinds.ts';
import { toDateTime } from './strings.ts';

type Moment = DateTime | Date;

const PARTS: Readonly<Record<string, string>> = {
  week: 'weekNumber',
  dayOfYear: 'ordinal',
  yearDayNumber: 'ordinal',
  weekday: 'weekday',
};

function asMoment(value: unknown): DateTime {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  if (typeof value === 'number') return DateTime.fromMillis(value);
  return toDateTime(String(value));
}

/** What was computed of a Date is a Date again. */
function likeIt(value: Moment, result: DateTime): Moment {
  return value instanceof Date ? result.toJSDate() : result;
}

function singular(unit: string): string {
  return unit.replace(/s$/, '');
}

function durationOf(amount: DurationLikeObject | number | string, unit = 'milliseconds'): Duration {
  if (typeof amount === 'object') return Duration.fromObject(amount);
  return Duration.fromObject({ [unit]: Number(amount) });
}

function difference(from: DateTime, to: DateTime, units: string | string[] = 'days'): unknown {
  const list = [units].flat() as DurationUnit[];
  const between = from.diff(to, list);
  return list.length === 1 ? between.as(list[0] ?? 'days') : between.toObject();
}

function isBetween(value: Moment, ...limits: unknown[]): boolean {
  if (limits.length !== 2) return fail('isBetween(): expected exactly two args');
  const [a, b] = limits.map((limit) => asMoment(limit).toMillis());
  const at = asMoment(value).toMillis();
  return at > Math.min(a ?? 0, b ?? 0) && at < Math.max(a ?? 0, b ?? 0);
}

function startOf(value: Moment, unit: string = 'week'): Moment {
  return likeIt(value, asMoment(value).startOf(singular(unit) as DateTimeUnit));
}

export const DATE_EXTENSIONS: Extensions = {
  beginningOf: startOf,
  diffTo: (value: Moment, other: unknown, units?: string | string[]) =>
    difference(asMoment(value), asMoment(other), units),
  diffToNow: (value: Moment, units?: string | string[]) =>
    difference(asMoment(value), DateTime.now(), units),
  endOfMonth: (value: Moment) => likeIt(value, asMoment(value).endOf('month')),
  extract: (value: Moment, part: string = 'week') =>
    asMoment(value).get((PARTS[part] ?? singular(part)) as 'year'),
  format: (value: Moment, pattern: string) => asMoment(value).toFormat(pattern),
  inBetween: isBetween,
  isBetween,
  isDst: (value: Moment) => asMoment(value).isInDST,
  isEmpty: () => false,
  isInLast: (value: Moment, amount: number = 0, unit: string = 'minutes') => {
    const now = DateTime.now();
    const from = now.minus(durationOf(amount, unit));
    return asMoment(value) >= from && asMoment(value) <= now;
  },
  isNotEmpty: () => true,
  isWeekend: (value: Moment) => asMoment(value).weekday > 5,
  minus: (value: Moment, amount: DurationLikeObject | number, unit?: string) =>
    likeIt(value, asMoment(value).minus(durationOf(amount, unit))),
  plus: (value: Moment, amount: DurationLikeObject | number, unit?: string) =>
    likeIt(value, asMoment(value).plus(durationOf(amount, unit))),
  toDateTime: (value: Moment) => asMoment(value),
  toInt: (value: Moment) => asMoment(value).toMillis(),
};
