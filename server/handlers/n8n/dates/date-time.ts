import { DateTime, type DurationUnit } from 'luxon';
import type { Item, JsonObject } from '../../../items/item.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { FieldFailure } from '../fields.ts';
import type { Settings } from '../step-settings.ts';
import { handleOldDate } from './old-date-time.ts';
import { readDate, unitOf } from './read-date.ts';

function zoneOf({ call }: OneItem): string {
  return call.step.facts.zone;
}

function moved(one: OneItem, sign: 1 | -1): string | null {
  const { settings } = one;
  const date = readDate(settings.value('magnitude'), { zone: zoneOf(one) });
  const amount = Number(settings.value('duration', 0));
  const unit = unitOf(settings.text('timeUnit', 'days'));
  return date.plus({ [unit]: sign * amount }).toISO();
}

function formatted(one: OneItem): unknown {
  const { settings } = one;
  const value = settings.value('date');
  if (value === undefined || value === null) return value;
  const inZone = settings.isOn('options.timezone');
  const zone = inZone ? zoneOf(one) : undefined;
  const date = readDate(value, { zone, fromFormat: settings.text('options.fromFormat') });
  const named = settings.text('format', 'MM/dd/yyyy');
  return date.toFormat(named === 'custom' ? settings.text('customFormat') : named);
}

function rounded(one: OneItem): string | null {
  const { settings } = one;
  const date = readDate(settings.value('date'), { zone: zoneOf(one) });
  const isUp = settings.text('mode', 'roundDown') === 'roundUp';
  const nearest = settings.text('toNearest', 'month');
  const unit = unitOf(isUp ? settings.text('to', nearest) : nearest);
  return (isUp ? date.plus({ [unit]: 1 }) : date).startOf(unit).toISO();
}

function extracted(one: OneItem): number {
  const date = readDate(one.settings.value('date'), { zone: zoneOf(one) });
  const part = one.settings.text('part', 'month');
  return part === 'week' ? date.weekNumber : date.get(unitOf(part) as keyof DateTime);
}

function between(one: OneItem): unknown {
  const { settings } = one;
  const zone = zoneOf(one);
  const start = readDate(settings.value('startDate'), { zone });
  const end = readDate(settings.value('endDate'), { zone });
  const listed = settings.value('units', ['day']);
  const units = (Array.isArray(listed) ? listed : [listed]).map((unit) => unitOf(String(unit)));
  const apart = end.diff(start, units satisfies DurationUnit[]);
  return settings.isOn('options.isoString') ? apart.toISO() : apart.toObject();
}

function current(one: OneItem): string | null {
  const { settings } = one;
  const zone = settings.text('options.timezone') || zoneOf(one);
  const now = DateTime.fromMillis(one.call.step.facts.now, { zone });
  return (settings.value('includeTime', true) === true ? now : now.startOf('day')).toISO();
}

interface Operation {
  /** The field that holds what it gives, where the settings name none. */
  readonly field: string;
  readonly compute: (one: OneItem) => unknown;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  addToDate: { field: 'newDate', compute: (one) => moved(one, 1) },
  subtractFromDate: { field: 'newDate', compute: (one) => moved(one, -1) },
  extractDate: { field: 'datePart', compute: extracted },
  formatDate: { field: 'formattedDate', compute: formatted },
  getCurrentDate: { field: 'currentDate', compute: current },
  getTimeBetweenDates: { field: 'timeDifference', compute: between },
  roundDate: { field: 'roundedDate', compute: rounded },
};

function keptFields(settings: Settings, { json }: Item): JsonObject {
  return settings.isOn('options.includeInputFields') ? json : {};
}

/** Date & Time, all versions. */
export const handleDateTime = forEachItem((one) => {
  const { call, item, at, settings } = one;
  if (call.node.version < 2) return handleOldDate(one);
  const name = settings.text('operation', 'getCurrentDate');
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new FieldFailure(`Date & Time has no operation '${name}'`);
  const field = settings.text('outputFieldName', operation.field) || operation.field;
  const json = { ...keptFields(settings, item), [field]: operation.compute(one) };
  return [{ json, pairedItem: { item: at } }];
});
