import { ImportSummary } from '../../../server/contract/studio/imports.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';

/** What only the import's own answer says; kept in this window for the result page. */
export interface KeptSummary {
  readonly summary: ImportSummary;
  readonly fileName: string;
}

const MAX_KEPT = 3_000;
const KEY = 'import-summaries';

type Kept = Readonly<Record<string, KeptSummary>>;

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (item: unknown) =>
        typeof item === 'object' &&
        item !== null &&
        'summary' in item &&
        ImportSummary.safeParse(item.summary).success,
    )
  );
}

/** Keeps the summaries of imports under their analyses. */
export function rememberSummaries(added: Iterable<readonly [string, KeptSummary]>): void {
  const kept = new Map(Object.entries(readJson(KEY, isKept, {})));
  for (const [analysisId, summary] of added) {
    kept.delete(analysisId);
    kept.set(analysisId, summary);
  }
  writeJson(KEY, Object.fromEntries([...kept].slice(-MAX_KEPT)));
}

/** The kept summary of an analysis. */
export function findSummary(analysisId: string): KeptSummary | undefined {
  return readJson(KEY, isKept, {})[analysisId];
}
