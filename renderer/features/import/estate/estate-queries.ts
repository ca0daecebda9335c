import { useQuery } from '@tanstack/react-query';
import { type EstateDraft, getEstate } from '../../../../server/contract/studio/estate.ts';
import { fileName } from '../../../data/draft-names.ts';
import { routeQuery } from '../../../data/query-client.ts';

/** The map of the imported drafts of a project; read when `enabled` is not false. */
export function useProjectEstate(projectId: string, enabled = true) {
  return useQuery({
    ...routeQuery(getEstate, { params: { project_id: projectId } }),
    enabled,
  });
}

/** What drafts of the map are called, by ref: as their source is, with their file where two have one name. */
export function estateNames(drafts: readonly EstateDraft[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(drafts, ({ workflow }) => workflow.name);
  return new Map(
    drafts.map(({ workflow: { name }, ref }) => {
      const file = fileName(ref);
      const isAlone = byName.get(name)?.length === 1;
      return [ref, name === null ? file : isAlone ? name : `${name} · ${file}`];
    }),
  );
}
