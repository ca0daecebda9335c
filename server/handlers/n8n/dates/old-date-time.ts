import { DateTime } from 'luxon';
import type { Item } from '../../../items/item.ts';
import type { OneItem } from '../each-item.ts';
import { copyOf, pathOf, setPath } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { inOldFormat, readingFormat } from './old-format.ts';
import { readDate, unitOf } from './read-date.ts';

const NO_DATE = 'The date input format could not be recognized. Please set the "From Format" field';

/** The fields of the clock as they are, in a zone: the text did not say one. */
function readIn(value: unknown, fromFormat: string, zone: string): DateTime {
  if (typeof value === 'number') return DateTime.fromSeconds(value, { zone });
  const text = String(value);
  if (fromFormat !== '') return DateTime.fromFormat(text, readingFormat(fromFormat), { zone });
  const hasZone = /(Z|[+-]\d\d:?\d\d|GMT|UTC)\s*$/i.test(text) && /\d:\d/.test(text);
  const date = readDate(Number.isNaN(Number(text)) ? text : '', { zone: 'utc' });
  return hasZone ? date.setZone(zone) : date.setZone(zone, { keepLocalTime: true });
}

function read(value: unknown, fromFormat: string, zone: string): DateTime {
  try {
    const date = readIn(value, fromFormat, zone);
    if (date.isValid) return date;
  } catch (error) {
    if (!(error instanceof FieldFailure)) throw error;
  }
  throw new FieldFailure(NO_DATE);
}

function calculated({ settings, call }: OneItem): string | null {
  const { zone } = call.step.facts;
  const date = read(settings.value('value'), settings.text('options.fromFormat'), zone);
  const sign = settings.text('operation', 'add') === 'subtract' ? -1 : 1;
  const amount = Number(settings.value('duration', 0));
  const unit = unitOf(settings.text('timeUnit', 'days'));
  return date
    .plus({ [unit]: sign * amount })
    .toUTC()
    .toISO();
}

function formatted({ settings, call }: OneItem): string {
  const from = settings.text('options.fromTimezone');
  const to = settings.text('options.toTimezone');
  const { zone } = call.step.facts;
  const isZoned = from !== '' || to !== '';
  const fromFormat = settings.text('options.fromFormat');
  const date = read(settings.value('value'), fromFormat, isZoned ? from || zone : 'utc');
  const format = settings.text('toFormat', 'MM/DD/YYYY');
  return inOldFormat(isZoned ? date.setZone(to || zone) : date, format);
}

/** Date & Time, version 1: the item with one field more. */
export function handleOldDate(one: OneItem): Item[] {
  const { item, at, settings } = one;
  const isFormat = settings.text('action', 'format') === 'format';
  const isNothing = isFormat && (settings.value('value') ?? '') === '';
  const pairedItem = { item: at };
  if (isNothing) return [{ ...item, pairedItem }];
  const json = copyOf(item.json);
  const field = settings.text('dataPropertyName', 'data');
  setPath(json, pathOf(field), isFormat ? formatted(one) : calculated(one));
  return [{ ...item, json, pairedItem }];
}
