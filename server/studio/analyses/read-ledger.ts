import type { LedgerView } from '../../contract/studio/ledger.ts';
import type { AnalysisRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { openRecord } from './read-analysis.ts';

/** A page of the ledger of an analysis; no import keeps one yet. */
export async function readLedger(
  deps: StudioDeps,
  row: AnalysisRow,
  { offset }: { readonly offset: number },
): Promise<LedgerView> {
  await openRecord(deps, row);
  const none = { entries: 0, leaves: 0 };
  return {
    state: 'older',
    counts: { carried: none, told: none, no_meaning: none },
    total: 0,
    offset,
    next_offset: null,
    entries: [],
  };
}
