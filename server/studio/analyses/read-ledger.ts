import { refuse } from '../../contract/studio/errors.ts';
import type {
  LedgerEntry,
  LedgerFate,
  LedgerView,
  LedgerWhat,
} from '../../contract/studio/ledger.ts';
import type { AnalysisRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { findLedger } from './analysis-ledgers-repository.ts';
import { ledgerBinding, parseLedger } from './ledger-record.ts';
import { quarantine, reclaimed } from './read-analysis.ts';

/** Which entries are wanted. */
export interface LedgerQuery {
  readonly fate?: LedgerFate | undefined;
  readonly what?: LedgerWhat | undefined;
  readonly element?: string | undefined;
  readonly gap?: string | undefined;
  readonly q?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

function wanted(query: LedgerQuery): (entry: LedgerEntry) => boolean {
  const { fate, what, element, gap } = query;
  const words = query.q?.toLowerCase() ?? '';
  const says = ({ label, locator, draft }: LedgerEntry): boolean =>
    [label, locator, draft ?? ''].some((text) => text.toLowerCase().includes(words));
  const filters = [
    fate === undefined ? [] : [(entry: LedgerEntry) => entry.fate === fate],
    what === undefined ? [] : [(entry: LedgerEntry) => entry.what === what],
    element === undefined ? [] : [(entry: LedgerEntry) => entry.element === element],
    gap === undefined ? [] : [(entry: LedgerEntry) => entry.gaps.includes(gap)],
    words === '' ? [] : [says],
  ].flat();
  return (entry) => filters.every((holds) => holds(entry));
}

function countsOf(entries: readonly LedgerEntry[]): LedgerView['counts'] {
  const counts = {
    carried: { entries: 0, leaves: 0 },
    told: { entries: 0, leaves: 0 },
    no_meaning: { entries: 0, leaves: 0 },
    lost: { entries: 0, leaves: 0 },
  };
  for (const { fate, leaves } of entries) {
    counts[fate].entries += 1;
    counts[fate].leaves += leaves;
  }
  return counts;
}

function pageOf(
  state: LedgerView['state'],
  entries: readonly LedgerEntry[],
  query: LedgerQuery,
): LedgerView {
  const left = entries.filter(wanted(query));
  const { offset, limit } = query;
  const end = offset + limit;
  return {
    state,
    counts: countsOf(entries),
    total: left.length,
    offset,
    next_offset: end < left.length ? end : null,
    entries: left.slice(offset, end),
  };
}

/** A page of the ledger of an analysis; one without a ledger says why there is none. */
export async function readLedger(
  deps: StudioDeps,
  row: AnalysisRow,
  query: LedgerQuery,
): Promise<LedgerView> {
  if (row.state === 'quarantined') throw refuse('analysis_quarantined');
  if (row.payload === null) throw reclaimed(row);
  const stored = await findLedger(deps.db, row.id);
  if (stored === undefined) {
    return pageOf(row.importer.endsWith('/strict') ? 'strict' : 'older', [], query);
  }
  if (stored.payload === null) return pageOf('too_large', [], query);
  const text = deps.keyring.open(stored.payload, ledgerBinding(row.project_id, row.id));
  const entries = text === undefined ? undefined : parseLedger(text);
  if (entries === undefined) {
    await quarantine(deps, row);
    throw refuse('analysis_quarantined');
  }
  return pageOf('kept', entries, query);
}
