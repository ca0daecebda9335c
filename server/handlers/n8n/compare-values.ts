import { sameJson } from '../../kernel/same-json.ts';

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function asNumber(value: unknown): number {
  return isContainer(value) ? Number.NaN : Number(value);
}

function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one < other;
  return asNumber(one) < asNumber(other);
}

/**
 * The source's order: texts as texts, everything else as numbers. What has no number, such as a
 * missing field, comes behind what it is compared with, so that the order of the items decides.
 */
export function compareValues(one: unknown, other: unknown): number {
  if (sameJson(one, other)) return 0;
  return isLess(one, other) ? -1 : 1;
}

export interface SortColumn {
  /** By item. */
  readonly values: readonly unknown[];
  readonly descends: boolean;
}

/** The numbers of the items in the order of their values, the first column before the others. */
export function sortedPlaces(count: number, columns: readonly SortColumn[]): number[] {
  return Array.from({ length: count }, (_, at) => at).sort((one, other) => {
    for (const { values, descends } of columns) {
      const order = compareValues(values[one], values[other]);
      if (order !== 0) return descends ? -order : order;
    }
    return 0;
  });
}
