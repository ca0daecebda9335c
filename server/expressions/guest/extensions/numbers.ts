import { DateTime } from 'luxon';
import { type Extensions, fail } from './kinds.ts';

const DAY_MS = 86_400_000;
/** The days of spreadsheets begin so many days before those of computers. */
const EXCEL_SHIFT = 25_569;

/** The moment that a number tells in milliseconds, seconds, microseconds or days of a spreadsheet. */
export function momentOfNumber(value: number, unit = 'ms'): DateTime {
  if (Number.isNaN(value)) return fail('cannot convert to Luxon DateTime');
  switch (unit) {
    case 's':
      return DateTime.fromSeconds(value);
    case 'us':
      return DateTime.fromMillis(value / 1000);
    case 'excel':
      return DateTime.fromMillis(Math.round((value - EXCEL_SHIFT) * DAY_MS));
    case 'ms':
      return DateTime.fromMillis(value);
    default:
      return fail(`Unsupported format '${unit}'`);
  }
}

function ofIntegers(name: string, test: (value: number) => boolean) {
  return (value: number): boolean =>
    Number.isInteger(value) ? test(value) : fail(`${name}() is only callable on integers`);
}

export const NUMBER_EXTENSIONS: Extensions = {
  abs: (value: number) => Math.abs(value),
  ceil: (value: number) => Math.ceil(value),
  floor: (value: number) => Math.floor(value),
  format: (value: number, locale: string = 'en-US', options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value),
  isEmpty: (value: number) => !value,
  isNotEmpty: (value: number) => Boolean(value),
  isEven: ofIntegers('isEven', (value) => value % 2 === 0),
  isInteger: (value: number) => Number.isInteger(value),
  isOdd: ofIntegers('isOdd', (value) => Math.abs(value) % 2 === 1),
  round: (value: number, places = 0) => Number(value.toFixed(places)),
  toBoolean: (value: number) => value !== 0,
  toDateTime: momentOfNumber,
  toFloat: (value: number) => value,
  toInt: (value: number) => Math.round(value),
};

export const BOOLEAN_EXTENSIONS: Extensions = {
  isEmpty: () => false,
  isNotEmpty: () => true,
  toBoolean: (value: boolean) => value,
  toFloat: (value: boolean) => Number(value),
  toInt: (value: boolean) => Number(value),
  toNumber: (value: boolean) => Number(value),
};
