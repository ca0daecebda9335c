import { useEffect, useState } from 'react';
import { isObject } from '../../../server/kernel/json.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';

const KEY = 'overview:seen';

/** What the counts were when this window last showed them. */
interface Visit {
  readonly at: number;
  readonly values: Readonly<Record<string, unknown>>;
}

function isVisit(value: unknown): value is Visit {
  return isObject(value) && typeof value['at'] === 'number' && isObject(value['values']);
}

/** The counts of the last visit, null at the first one; those of now are kept for the next. */
export function useLastVisit(values: Readonly<Record<string, number | undefined>>): Visit | null {
  const [visit] = useState(() =>
    readJson<Visit | null>(KEY, (value) => value === null || isVisit(value), null),
  );
  const text = JSON.stringify(values);
  useEffect(() => writeJson(KEY, { at: Date.now(), values: JSON.parse(text) }), [text]);
  return visit;
}
