import { signerOf } from '../../bundles/keys.ts';
import { type OpenBundle, openBundle } from '../../bundles/open-bundle.ts';
import { ownSigningKey } from '../../bundles/own-key.ts';
import { unpackBundle } from '../../bundles/unpack-bundle.ts';
import type { InspectedBundle } from '../../contract/studio/bundles.ts';
import type { Project } from '../../contract/studio/session.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { registerDraft } from '../drafts/register-draft.ts';
import { readExposure } from '../exposure/exposure.ts';
import { createProject } from '../projects/create-project.ts';
import { findMembership } from '../projects/projects-repository.ts';
import { onBundle } from './refused.ts';
import { signingKeyFile } from './signing-key-file.ts';

function proved(content: string): Promise<OpenBundle> {
  return onBundle(() => openBundle(Buffer.from(content, 'base64')));
}

/** What is in a bundle, and who signed it; nothing is written. */
export async function inspectBundle(deps: StudioDeps, content: string): Promise<InspectedBundle> {
  const { manifest, signer } = await proved(content);
  if (signer === null) return { manifest, signer: null };
  const own = signerOf(ownSigningKey(signingKeyFile(deps.stateDir))).keyId === signer.keyId;
  return { manifest, signer: { key_id: signer.keyId, public_key: signer.publicKey, own } };
}

/**
 * Unpacks a bundle as a new project with its spec as a draft. Its code runs when somebody trusts the
 * new folder, whoever signed it.
 */
export async function openAsProject(
  deps: StudioDeps,
  principal: PrincipalRow,
  content: string,
): Promise<{ project: Project; ref: string }> {
  const bundle = await proved(content);
  const { name, spec: ref } = bundle.manifest;
  const project = await createProject(deps, principal, name);
  const membership = await findMembership(deps.db, project.id, principal.id);
  if (membership === undefined) throw new TypeError('the project was not stored');
  const member = { principal, ...membership };
  await unpackBundle(bundle, member.project.root);
  const { exposure_digest } = await readExposure(deps.db, member.project);
  const input = { path: ref, kind: 'spec', capabilities: 'read_write', exposure_digest } as const;
  await registerDraft(deps, member, input, { action: 'open_bundle' });
  return { project, ref };
}
