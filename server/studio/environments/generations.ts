import type { GenerationView } from '../../contract/studio/bindings.ts';
import type { BindingView } from '../../contract/studio/environments.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { countFrozen, listGenerationRows } from './environments-repository.ts';
import { storedRegistry } from './registry-entries.ts';

/** A binding as the workbench shows it. */
export function toBindingView(deps: StudioDeps, row: ProjectEnvironmentRow): BindingView {
  return {
    alias: row.alias,
    generation: row.generation,
    platform_environment: row.platform_environment,
    transport: row.transport,
    platform_egress: row.platform_egress,
    capability_policy: row.capability_policy,
    profile_state: deps.connections.lookUp(row.profile_name).ok ? 'available' : 'unavailable',
  };
}

/** Since when an alias has the registry of its generation: the first of those in a row that share it. */
function registrySince(
  row: ProjectEnvironmentRow,
  newestFirst: readonly ProjectEnvironmentRow[],
): string {
  let since = row.created_at;
  for (const earlier of newestFirst) {
    if (earlier.alias !== row.alias || earlier.generation >= row.generation) continue;
    if (earlier.registry_snapshot !== row.registry_snapshot) break;
    since = earlier.created_at;
  }
  return since;
}

/** Every generation of every alias: by alias, newest first. */
export async function listGenerations(
  deps: StudioDeps,
  projectId: string,
): Promise<GenerationView[]> {
  const rows = await listGenerationRows(deps.db, projectId);
  const frozen = await countFrozen(deps.db, projectId);
  const live = new Map(
    rows.filter(({ retired_at }) => retired_at === null).map((row) => [row.alias, 0]),
  );
  for (const { alias, generation, retired_at } of rows) {
    if (retired_at === null) live.set(alias, Math.max(live.get(alias) ?? 0, generation));
  }
  return rows.map((row) => {
    const registry = Object.keys(storedRegistry(row.registry_snapshot)).sort();
    return {
      ...toBindingView(deps, row),
      ...deps.connections.endpointOf(row),
      live: live.get(row.alias) === row.generation,
      created_at: row.created_at,
      retired_at: row.retired_at,
      made_by: row.made_by,
      artifacts: frozen.get(`${row.alias} ${row.generation}`) ?? 0,
      registry,
      registry_since: registry.length === 0 ? null : registrySince(row, rows),
    };
  });
}
