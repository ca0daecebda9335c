import type { Annotation } from '../../contract/dashboard/annotations.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { AnnotationRow } from '../../store/dashboard-tables.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { textsOf } from '../read.ts';
import { removeRow, replaceRow } from '../versioned-rows-repository.ts';
import { insertAnnotation, listAnnotationRows, listTaggedRows } from './annotations-repository.ts';
import { runsOfPlatform } from './runs-of-platform.ts';

/** So many are looked through for those of one platform. */
const MOST_TAGGED = 1000;

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
  return (await listAnnotationRows(deps.db, runId)).map(toView);
}

/**
 * Notes of all runs that have a tag, newest first. Whoever is limited to some environments gets
 * those of runs that the platform of the chosen one has.
 */
export async function listTagged(
  deps: DashboardDeps,
  operator: Operator,
  { tag, limit }: { readonly tag: string; readonly limit: number },
  signal: AbortSignal,
): Promise<Annotation[]> {
  const isLimited = operator.environments !== null;
  const rows = await listTaggedRows(deps.db, tag, isLimited ? MOST_TAGGED : limit);
  const tagged = rows.map(toView);
  if (!isLimited) return tagged;
  const runIds = tagged.map(({ run_id }) => run_id);
  const seen = await runsOfPlatform(operator.platform(), runIds, signal);
  return tagged.filter(({ run_id }) => seen.has(run_id)).slice(0, limit);
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
  await insertAnnotation(deps.db, row);
  return toView(row);
}

/** Replaces a note of exactly this version. @throws Refusal `not_found`, `dashboard_state_conflict`. */
export async function updateAnnotation(
  { db, clock }: DashboardDeps,
  id: string,
  { body, tags, version }: AnnotationInput & { readonly version: number },
): Promise<Annotation> {
  const change = { body, tags: JSON.stringify(tags), updated_at: toTimestamp(clock.now()) };
  return toView(await replaceRow(db, 'annotations', { id, version }, change));
}

/** Removes a note of exactly this version. @throws Refusal as updateAnnotation. */
export async function deleteAnnotation(
  { db }: DashboardDeps,
  id: string,
  version: number,
): Promise<void> {
  await removeRow(db, 'annotations', { id, version });
}
