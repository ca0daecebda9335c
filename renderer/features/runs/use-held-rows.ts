import { useState } from 'react';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { type HeldRows, holdOrder } from './run-filter-model.ts';

/** Keeps the order of rows while somebody points at them, so that no row moves under the pointer. */
export function useHeldRows(fresh: readonly RunRow[]): {
  readonly held: HeldRows;
  readonly hold: () => void;
  readonly letGo: () => void;
} {
  const [snapshot, setSnapshot] = useState<readonly RunRow[] | null>(null);
  return {
    held: snapshot === null ? { rows: fresh, waiting: 0 } : holdOrder(snapshot, fresh),
    hold: () => setSnapshot(fresh),
    letGo: () => setSnapshot(null),
  };
}
