import { useState } from 'react';
import { type HeldRows, holdOrder, type RowsByPlace } from './run-filter-model.ts';
import { PAGE } from './use-run-list.ts';

/** Keeps the order of rows while somebody points at them, so that no row moves under the pointer. */
export function useHeldRows(
  fresh: RowsByPlace,
  order: string,
): {
  readonly held: HeldRows;
  readonly hold: () => void;
  readonly letGo: () => void;
} {
  const [kept, setKept] = useState<{ rows: RowsByPlace; order: string } | null>(null);
  // Rows that were sorted anew are where the person wants them: the old places are let go.
  const snapshot = kept?.order === order ? kept.rows : null;
  return {
    held: snapshot === null ? { rows: fresh, waiting: 0 } : holdOrder(snapshot, fresh, PAGE),
    hold: () => setKept({ rows: fresh, order }),
    letGo: () => setKept(null),
  };
}
