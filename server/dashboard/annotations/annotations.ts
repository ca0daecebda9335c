import type { Annotation } from '../../contract/dashboard/annotations.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { AnnotationRow } from '../../store/dashboard-tables.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { textsOf } from '../read.ts';
import { refuse } from '../refusals.ts';

const MAX_ANNOTATIONS = 500;

/** What an operator writes. */
export interface AnnotationInput {
  readonly body: string;
  readonly tags: readonly string[];
}

function toView(row: AnnotationRow): Annotation {
  return { ...row, tags: textsOf(JSON.parse(row.tags)) };
}

/** Notes on a run, oldest first. The run is not looked up. */
export async function listAnnotations(deps: DashboardDeps, runId: string): Promise<Annotation[]> {
  const rows = await deps.db
    .selectFrom('annotations')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_ANNOTATIONS)
    .execute();
  return rows.map(toView);
}

/** Adds a note to a run. */
export async function createAnnotation(
  deps: DashboardDeps,
  operator: Operator,
  runId: string,
  input: AnnotationInput,
): Promise<Annotation> {
  const now = toTimestamp(deps.clock.now());
  const row: AnnotationRow = {
    id: deps.ids.hex(),
    run_id: runId,
    body: input.body,
    tags: JSON.stringify(input.tags),
    created_by: operator.identity,
    created_at: now,
    updated_at: now,
    version: 1,
  };
  await deps.db.insertInto('annotations').values(row).execute();
  return toView(row);
}

async function missingOrStale(deps: DashboardDeps, id: string): Promise<Error> {
  const row = await deps.db
    .selectFrom('annotations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return refuse(row === undefined ? 'not_found' : 'dashboard_state_conflict');
}

/** Replaces a note of exactly this version. @throws Refusal `not_found`, `dashboard_state_conflict`. */
export async function updateAnnotation(
  deps: DashboardDeps,
  id: string,
  input: AnnotationInput & { readonly version: number },
): Promise<Annotation> {
  const row = await deps.db
    .updateTable('annotations')
    .set({
      body: input.body,
      tags: JSON.stringify(input.tags),
      updated_at: toTimestamp(deps.clock.now()),
      version: input.version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', input.version)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw await missingOrStale(deps, id);
  return toView(row);
}

/** Removes a note of exactly this version. @throws Refusal as updateAnnotation. */
export async function deleteAnnotation(
  deps: DashboardDeps,
  id: string,
  version: number,
): Promise<void> {
  const row = await deps.db
    .deleteFrom('annotations')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw await missingOrStale(deps, id);
}
