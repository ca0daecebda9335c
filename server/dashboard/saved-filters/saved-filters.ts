import type { SavedFilter } from '../../contract/dashboard/saved-filters.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { SavedFilterRow } from '../../store/dashboard-tables.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { objectOf } from '../read.ts';
import { removeRow, replaceRow } from '../versioned-rows-repository.ts';
import { insertSavedFilter, listSavedFilterRows } from './saved-filters-repository.ts';

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
  return (await listSavedFilterRows(deps.db)).map(toView);
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
  await insertSavedFilter(deps.db, row);
  return toView(row);
}

/** Replaces a filter of exactly this version. @throws Refusal `not_found`, `dashboard_state_conflict`. */
export async function updateSavedFilter(
  { db, clock }: DashboardDeps,
  id: string,
  { name, filters, version }: SavedFilterInput & { readonly version: number },
): Promise<SavedFilter> {
  const change = { name, filters: JSON.stringify(filters), updated_at: toTimestamp(clock.now()) };
  return toView(await replaceRow(db, 'saved_filters', { id, version }, change));
}

/** Removes a filter of exactly this version. @throws Refusal as updateSavedFilter. */
export async function deleteSavedFilter(
  { db }: DashboardDeps,
  id: string,
  version: number,
): Promise<void> {
  await removeRow(db, 'saved_filters', { id, version });
}
