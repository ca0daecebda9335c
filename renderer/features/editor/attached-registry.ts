import { useEffect, useMemo } from 'react';
import type { AttachedRegistry } from '../../../server/spec/language/registry.ts';
import { useGenerations } from '../../data/environments.ts';
import { useChosenBinding } from '../../environments/chosen-alias.ts';

/** By the authority of the models' addresses: the editor asks without knowing its page. */
const attached = new Map<string, AttachedRegistry>();

/** The registry that texts of a model's project are checked against; null while none is known. */
export function registryOfModel(authority: string): AttachedRegistry | null {
  return attached.get(authority) ?? null;
}

/** The registry of the environment that this window uses for a project; null while none is known. */
export function useAttachedRegistry(projectId: string): AttachedRegistry | null {
  const alias = useChosenBinding(projectId)?.alias;
  const generations = useGenerations(projectId).data;
  const names = generations?.find((one) => one.live && one.alias === alias)?.registry;
  const registry = useMemo(
    () => (alias === undefined || names === undefined ? null : { alias, names }),
    [alias, names],
  );
  useEffect(() => {
    const authority = projectId.toLowerCase();
    if (registry === null) attached.delete(authority);
    else attached.set(authority, registry);
  }, [projectId, registry]);
  return registry;
}
