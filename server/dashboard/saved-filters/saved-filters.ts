import type { SavedFilter } from '../../contract/dashboard/saved-filters.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { SavedFilterRow } from '../../store/dashboard-tables.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { objectOf } from '../read.ts';
import { refuse } from '../refusals.ts';

/** What an operator saves; the filters are opaque here. */
export interface SavedFilterInput {
  readonly name: string;
  readonly filters: JsonObject;
}

function toView(row: SavedFilterRow): SavedFilter {
  return { ...row, filters: objectOf(JSON.parse(row.filters)) };
}

/** All saved filters by name; names need not be unique. */
export async function listSavedFilters(deps: DashboardDeps): Promise<SavedFilter[]> {
  const rows = await deps.db
    .selectFrom('saved_filters')
    .selectAll()
    .orderBy('name')
    .orderBy('created_at')
    .execute();
  return rows.map(toView);
}

/** Keeps a filter under a name. */
export async function createSavedFilter(
  deps: DashboardDeps,
  operator: Operator,
  input: SavedFilterInput,
): Promise<SavedFilter> {
  const now = toTimestamp(deps.clock.now());
  const row: SavedFilterRow = {
    id: deps.ids.hex(),
    name: input.name,
    filters: JSON.stringify(input.filters),
    created_by: operator.identity,
    created_at: now,
    updated_at: now,
    version: 1,
  };
  await deps.db.insertInto('saved_filters').values(row).execute();
  return toView(row);
}

async function missingOrStale(deps: DashboardDeps, id: string): Promise<Error> {
  const row = await deps.db
    .selectFrom('saved_filters')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return refuse(row === undefined ? 'not_found' : 'dashboard_state_conflict');
}

/** Replaces a filter of exactly this version. @throws Refusal `not_found`, `dashboard_state_conflict`. */
export async function updateSavedFilter(
  deps: DashboardDeps,
  id: string,
  input: SavedFilterInput & { readonly version: number },
): Promise<SavedFilter> {
  const row = await deps.db
    .updateTable('saved_filters')
    .set({
      name: input.name,
      filters: JSON.stringify(input.filters),
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

/** Removes a filter of exactly this version. @throws Refusal as updateSavedFilter. */
export async function deleteSavedFilter(
  deps: DashboardDeps,
  id: string,
  version: number,
): Promise<void> {
  const row = await deps.db
    .deleteFrom('saved_filters')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw await missingOrStale(deps, id);
}
