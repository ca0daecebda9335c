import type { AnalysisLedgerRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** The sealed ledger of an analysis; undefined where none was made. */
export async function findLedger(
  handle: Handle,
  analysisId: string,
): Promise<AnalysisLedgerRow | undefined> {
  return handle
    .selectFrom('analysis_ledger')
    .selectAll()
    .where('analysis_id', '=', analysisId)
    .executeTakeFirst();
}

export async function insertLedger(handle: Handle, row: AnalysisLedgerRow): Promise<void> {
  await handle.insertInto('analysis_ledger').values(row).execute();
}
