import { ImportSummary } from '../../../server/contract/studio/imports.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';

/** What only the import's own answer says; kept in this window for the result page. */
export interface KeptSummary {
  readonly summary: ImportSummary;
  readonly fileName: string;
}

const MAX_KEPT = 100;
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

/** Keeps the summary of an import under its analysis. */
export function rememberSummary(analysisId: string, summary: KeptSummary): void {
  const kept = Object.entries(readJson(KEY, isKept, {})).filter(([id]) => id !== analysisId);
  writeJson(KEY, Object.fromEntries([...kept, [analysisId, summary]].slice(-MAX_KEPT)));
}

/** The kept summary of an analysis. */
export function findSummary(analysisId: string): KeptSummary | undefined {
  return readJson(KEY, isKept, {})[analysisId];
}
