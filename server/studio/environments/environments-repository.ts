import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** The live binding of each alias, ascending: the highest generation that is not retired. */
export async function listLiveBindings(
  handle: Handle,
  projectId: string,
): Promise<ProjectEnvironmentRow[]> {
  const rows = await handle
    .selectFrom('project_environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('retired_at', 'is', null)
    .orderBy('alias')
    .orderBy('generation', 'desc')
    .execute();
  return rows.filter((row, index) => row.alias !== rows[index - 1]?.alias);
}

/** Every generation of a project, retired ones too: by alias, newest first. */
export async function listGenerationRows(
  handle: Handle,
  projectId: string,
): Promise<ProjectEnvironmentRow[]> {
  return handle
    .selectFrom('project_environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('alias')
    .orderBy('generation', 'desc')
    .execute();
}

/** How many artifacts are frozen to each generation, by `alias generation`. */
export async function countFrozen(
  handle: Handle,
  projectId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await handle
    .selectFrom('authored_artifact')
    .select((eb) => ['alias', 'alias_generation', eb.fn.countAll().as('count')])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .groupBy(['alias', 'alias_generation'])
    .execute();
  return new Map(
    rows.map(({ alias, alias_generation, count }) => [
      `${alias} ${alias_generation}`,
      Number(count),
    ]),
  );
}

/** The live binding of an alias. */
export async function findLiveBinding(
  handle: Handle,
  projectId: string,
  alias: string,
): Promise<ProjectEnvironmentRow | undefined> {
  return handle
    .selectFrom('project_environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('alias', '=', alias)
    .where('retired_at', 'is', null)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A generation by its number, also a retired one: what artifacts are frozen to. */
export async function findGeneration(
  handle: Handle,
  projectId: string,
  alias: string,
  generation: number,
): Promise<ProjectEnvironmentRow | undefined> {
  return handle
    .selectFrom('project_environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('alias', '=', alias)
    .where('generation', '=', generation)
    .executeTakeFirst();
}

/** Adds the next generation of an alias. */
export async function insertGeneration(
  handle: Handle,
  row: Omit<ProjectEnvironmentRow, 'generation'>,
): Promise<ProjectEnvironmentRow> {
  const last = await handle
    .selectFrom('project_environment')
    .select((eb) => eb.fn.max('generation').as('generation'))
    .where('project_id', '=', row.project_id)
    .where('alias', '=', row.alias)
    .executeTakeFirst();
  const generation = Number(last?.generation ?? 0) + 1;
  const inserted = { ...row, generation };
  await handle.insertInto('project_environment').values(inserted).execute();
  return inserted;
}

/** Remembers the endpoint that a generation was first used with. */
export async function storeFingerprint(
  handle: Handle,
  binding: ProjectEnvironmentRow,
  fingerprint: string,
): Promise<void> {
  await handle
    .updateTable('project_environment')
    .set({ endpoint_fingerprint: fingerprint })
    .where('project_id', '=', binding.project_id)
    .where('alias', '=', binding.alias)
    .where('generation', '=', binding.generation)
    .where('endpoint_fingerprint', 'is', null)
    .execute();
}

/** True when a project was ever bound, retired bindings counted too. */
export async function wasEverBound(handle: Handle, projectId: string): Promise<boolean> {
  const known = await handle
    .selectFrom('project_environment')
    .select('generation')
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
}

/** Every generation of a project that is not retired. */
export async function listLiveGenerations(
  handle: Handle,
  projectId: string,
): Promise<Pick<ProjectEnvironmentRow, 'alias' | 'generation'>[]> {
  return handle
    .selectFrom('project_environment')
    .select(['alias', 'generation'])
    .where('project_id', '=', projectId)
    .where('retired_at', 'is', null)
    .execute();
}

/** Takes a generation out of use. */
export async function retireGeneration(
  handle: Handle,
  {
    project_id,
    alias,
    generation,
  }: Pick<ProjectEnvironmentRow, 'project_id' | 'alias' | 'generation'>,
  now: string,
): Promise<void> {
  await handle
    .updateTable('project_environment')
    .set({ retired_at: now })
    .where('project_id', '=', project_id)
    .where('alias', '=', alias)
    .where('generation', '=', generation)
    .execute();
}
