import type { ExposureView } from '../../contract/studio/exposure.ts';
import { type RegisterInput, registerDraft } from '../drafts/register-draft.ts';
import { readExposure } from '../exposure/exposure.ts';
import { OPERATOR } from '../session/known-principals.ts';
import { findPrincipal } from '../session/principals-repository.ts';
import { type HostDeps, labelled, requireProject } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

/** What a registration is measured against; its digest is what the operator answers for. */
export async function exposureOf(
  deps: Pick<HostDeps, 'db'>,
  projectId: string,
): Promise<ExposureView> {
  return readExposure(deps.db, await requireProject(deps, projectId));
}

/** Registers a draft as the operator. @throws Refusal of the studio's own table too. */
export async function registerAsOperator(
  deps: HostDeps,
  projectId: string,
  input: RegisterInput,
): Promise<void> {
  const project = await requireProject(deps, projectId);
  const principal = await findPrincipal(deps.db, OPERATOR);
  if (principal === undefined) throw refuseHost('unknown_principal');
  await registerDraft(deps, { principal, project, role: 'owner' }, input, {
    action: 'host.register_draft',
    detail: labelled(deps, {}),
  });
}
