import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseObject } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import type { ReadTrace } from './run-view.ts';

/** The run's row. @throws Refusal not_found. */
export function getRunRow(deps: Pick<PlatformDeps, 'runs'>, runId: string): RunsTable {
  const row = deps.runs.find(runId);
  if (row === undefined) throw refuse('not_found');
  return row;
}

/** Reads the stored trace of runs for their views. */
export function traceReader(deps: Pick<PlatformDeps, 'trace'>): ReadTrace {
  return (runId, limit) => deps.trace.page(runId, undefined, limit, 0).map(parseObject);
}
