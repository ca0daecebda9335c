import { useState } from 'react';
import { type HeldRows, holdOrder, type RowsByPlace } from './run-filter-model.ts';
import { PAGE } from './use-run-list.ts';

/** Keeps the order of rows while somebody points at them, so that no row moves under the pointer. */
export function useHeldRows(fresh: RowsByPlace): {
  readonly held: HeldRows;
  readonly hold: () => void;
  readonly letGo: () => void;
} {
  const [snapshot, setSnapshot] = useState<RowsByPlace | null>(null);
  return {
    held: snapshot === null ? { rows: fresh, waiting: 0 } : holdOrder(snapshot, fresh, PAGE),
    hold: () => setSnapshot(fresh),
    letGo: () => setSnapshot(null),
  };
}
