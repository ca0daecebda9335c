import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseObject } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import type { ReadTrace } from './run-view.ts';
import type { ShortRow } from './runs-repository.ts';

function found<T>(row: T | undefined): T {
  if (row === undefined) throw refuse('not_found');
  return row;
}

/** The run's row. @throws Refusal not_found. */
export function getRunRow({ runs }: Pick<PlatformDeps, 'runs'>, runId: string): RunsTable {
  return found(runs.find(runId));
}

/** The same without the run's messages. @throws Refusal not_found. */
export function getShortRow({ runs }: Pick<PlatformDeps, 'runs'>, runId: string): ShortRow {
  return found(runs.findShort(runId));
}

/** Reads the stored trace of runs for their views. */
export function traceReader(deps: Pick<PlatformDeps, 'trace'>): ReadTrace {
  return (runId, limit) => deps.trace.page(runId, undefined, limit, 0).map(parseObject);
}
