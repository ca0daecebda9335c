import { useEffect, useState } from 'react';
import { isObject } from '../../../server/kernel/json.ts';
import { environmentStore } from '../../data/chosen-environment.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';
import { useStore } from '../../ui/store.ts';

function keyOf(environment: string | null): string {
  return environment === null ? 'overview:seen' : `overview:seen:${environment}`;
}

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
  const key = keyOf(useStore(environmentStore));
  const [visit] = useState(() =>
    readJson<Visit | null>(key, (value) => value === null || isVisit(value), null),
  );
  const text = JSON.stringify(values);
  useEffect(() => writeJson(key, { at: Date.now(), values: JSON.parse(text) }), [key, text]);
  return visit;
}
