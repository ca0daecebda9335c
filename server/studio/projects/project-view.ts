import type { Project } from '../../contract/studio/session.ts';
import type { MemberProject } from './projects-repository.ts';

/** Row → wire. */
export function toProjectView(row: MemberProject): Project {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    created_at: row.created_at,
    binding_state: row.live_bindings > 0 ? 'bound' : 'unbound',
    storage_kind: row.storage_kind,
  };
}
