import { refuse } from '../../contract/studio/errors.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { LOCAL_OWNER } from './known-principals.ts';
import {
  findByIdentity,
  findPrincipal,
  insertPrincipal,
  moveHoldings,
  setPrincipalState,
} from './principals-repository.ts';
import { endAllSessions } from './sessions-repository.ts';

/** Who proved to be somebody, before it is known whether they may come in. */
export interface Identity {
  readonly kind: 'static' | 'oidc';
  readonly issuer: string;
  readonly subject: string;
  readonly displayName: string;
  /** Only a verified one. */
  readonly email: string | null;
}

type AdmissionDeps = Pick<StudioDeps, 'ids' | 'timestamp'>;

function rowOf(
  deps: AdmissionDeps,
  { kind, issuer, subject, displayName }: Identity,
  state: PrincipalRow['state'],
): PrincipalRow {
  return {
    id: deps.ids.hex(),
    kind,
    issuer,
    subject,
    display_name: displayName,
    state,
    created_at: deps.timestamp(),
  };
}

/**
 * The principal of an identity, if it may come in. One that is seen for the first time waits for an
 * operator, or is let in where the provider's rules say so.
 */
export async function admit(
  deps: AdmissionDeps,
  handle: Handle,
  identity: Identity,
  first: 'pending' | 'active',
): Promise<PrincipalRow | undefined> {
  const known = await findByIdentity(handle, identity);
  if (known !== undefined) {
    if (known.state === 'active') return known;
    if (known.state === 'pending' && first === 'active') {
      await setPrincipalState(handle, known.id, 'active');
      return { ...known, state: 'active' };
    }
    return undefined;
  }
  const made = rowOf(deps, identity, first);
  await insertPrincipal(handle, made);
  return first === 'active' ? made : undefined;
}

/** True once somebody took the studio over from the local owner. */
export async function isAdopted(handle: Handle): Promise<boolean> {
  const owner = await findPrincipal(handle, LOCAL_OWNER);
  return owner?.state === 'disabled';
}

/**
 * Makes an identity the owner of everything that the local owner has; the local owner is out from
 * then on, with every session and with what it had offered to others (studio.md 4.2).
 */
export async function adopt(
  deps: AdmissionDeps,
  handle: Handle,
  identity: Identity,
): Promise<PrincipalRow> {
  const known = await findByIdentity(handle, identity);
  if (known !== undefined && known.state !== 'active') throw refuse('not_admitted');
  const heir = known ?? rowOf(deps, identity, 'active');
  if (known === undefined) await insertPrincipal(handle, heir);
  await moveHoldings(handle, LOCAL_OWNER, heir.id);
  await setPrincipalState(handle, LOCAL_OWNER, 'disabled');
  await endAllSessions(handle);
  await recordAudit(deps, handle, {
    action: 'adopt_studio',
    principal_id: heir.id,
    project_id: null,
    outcome: 'allowed',
    detail: { issuer: identity.issuer },
  });
  return heir;
}
