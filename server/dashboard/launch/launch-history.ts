import type { LaunchDetails, LaunchHistoryEntry } from '../../contract/dashboard/launch.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { maskText } from '../../kernel/mask-secrets.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { LaunchRow } from '../../store/dashboard-tables.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { firstText, objectOf } from '../read.ts';
import { readDetails } from './launch-details.ts';
import { insertLaunch, listLaunchRows } from './launches-repository.ts';

const HISTORY_LIMIT = 20;

/** What was launched. The spec itself is never kept, only its digest. */
export interface Launch {
  readonly spec: JsonObject | null;
  readonly spec_path: string | null;
  /** The run that it goes on from a checkpoint of. */
  readonly rerun_of?: string;
  readonly environment: string | null;
  readonly run_id: string | null;
  readonly details?: LaunchDetails | null;
}

function labelOf(launch: Launch): string {
  if (launch.rerun_of !== undefined) return `run ${launch.rerun_of} again`;
  if (launch.spec_path !== null) return launch.spec_path;
  const agent = objectOf(launch.spec?.['agent'])['name'];
  return firstText(agent, launch.spec?.['name']) ?? 'inline spec';
}

function digestOf(launch: Launch): string | null {
  if (launch.spec_path !== null || launch.spec === null) return null;
  return `sha256:${sha256Hex(canonicalJson(launch.spec))}`;
}

/** Remembers a launch, best effort: a failure is logged. A replayed key adds no second row. */
export async function rememberLaunch(
  deps: Pick<DashboardDeps, 'db' | 'ids' | 'clock' | 'log'>,
  operator: Pick<Operator, 'identity'>,
  launch: Launch,
): Promise<void> {
  try {
    const { details = null } = launch;
    const row: LaunchRow = {
      id: deps.ids.hex(),
      environment: launch.environment,
      mode: launch.spec_path === null ? 'inline' : 'path',
      spec_path: launch.spec_path === null ? null : maskText(launch.spec_path),
      digest: digestOf(launch),
      label: maskText(labelOf(launch)),
      run_id: launch.run_id,
      created_by: operator.identity,
      created_at: toTimestamp(deps.clock.now()),
      details: details === null ? null : JSON.stringify(details),
    };
    await insertLaunch(deps.db, row);
  } catch (error) {
    deps.log.error({ err: error }, 'a launch was not remembered');
  }
}

/** The newest launches in environments that the operator's role may use. */
export async function listLaunchHistory(
  deps: DashboardDeps,
  operator: Operator,
): Promise<LaunchHistoryEntry[]> {
  const rows = await listLaunchRows(deps.db, operator.environments, HISTORY_LIMIT);
  return rows.map(({ details, ...row }) => ({ ...row, ...readDetails(details) }));
}
