import { useCallback, useState } from 'react';
import { preferencesStore } from '../../data/preferences.ts';
import { useStore } from '../../ui/store.ts';
import { dayText } from './audit-model.ts';

/** True for a person who reads the clock in UTC. */
export function useUtc(): boolean {
  return useStore(preferencesStore).clock === 'utc';
}

/** The day of a row, as the line above its first row says it. */
export function useDays<Row extends { readonly created_at: string }>(
  utc: boolean,
): (row: Row) => string {
  return useCallback(({ created_at }: Row) => dayText(created_at, Date.now(), utc), [utc]);
}

/** Which rows are shown in full. */
export function useOpenRows<Row extends { readonly id: string }>() {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(({ id }: Row): void => {
    setOpenIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) {
        next.add(id);
      }
      return next;
    });
  }, []);
  return { openIds, toggle };
}
