import type { PlatformTestRun, StudioTestRun } from '../../contract/studio/test-runs.ts';
import type { TestRunRow } from '../../store/studio-tables.ts';

/** Row → wire; the platform's part only for a run that started there. */
export function toTestRunView(row: TestRunRow, platform: PlatformTestRun | null): StudioTestRun {
  return {
    id: row.id,
    status: row.status,
    artifact_id: row.artifact_id,
    platform_run_id: row.platform_run_id,
    platform: row.status === 'started' ? platform : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
