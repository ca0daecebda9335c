import type { EstateFile } from '../../../../server/gaps/estate/estate.ts';
import type { BatchRow } from '../import-batch-store.ts';

/** The files of an import as the map of them sees them. */
export function estateFiles(rows: readonly BatchRow[]): readonly EstateFile[] {
  return rows.map(({ report, facts, causes }) => ({
    path: report.path,
    draft: report.draft,
    blocking: report.blocking,
    facts,
    causes,
  }));
}
