import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';

/** The run's row. @throws Refusal not_found. */
export function getRunRow(deps: Pick<PlatformDeps, 'runs'>, runId: string): RunsTable {
  const row = deps.runs.find(runId);
  if (row === undefined) throw refuse('not_found');
  return row;
}
