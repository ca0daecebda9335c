import { signerOf } from '../../bundles/keys.ts';
import { ownSigningKey } from '../../bundles/own-key.ts';
import { packProject } from '../../bundles/pack-project.ts';
import { BUNDLE_EXTENSION } from '../../contract/bundle.ts';
import type { BundleView } from '../../contract/studio/bundles.ts';
import { inTransaction } from '../../store/transaction.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { listComponents } from '../artifacts/artifacts-repository.ts';
import { exportFileName, requireReady } from '../artifacts/export-artifact.ts';
import type { SnapshotPart } from '../artifacts/snapshot-manifest.ts';
import { openSnapshot } from '../artifacts/snapshots.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { gateArtifact } from '../govern/open-artifact.ts';
import { requireStillMember } from '../session/authorize.ts';
import { onBundle } from './refused.ts';
import { signingKeyFile } from './signing-key-file.ts';

/** Bytes of `{}`. */
const EMPTY_OVERRIDES = 2;

function baseName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** What an artifact was composed of; nothing when it is its base and no more. */
function layersOf(parts: readonly SnapshotPart[]) {
  const told = parts.filter(({ role, len }) => role !== 'overrides' || len > EMPTY_OVERRIDES);
  return told.length === 1 ? [] : told.map(({ name, bytes }) => ({ name: baseName(name), bytes }));
}

/**
 * The artifact with what it names in the project's folder, signed by this installation. What ties it
 * to this machine comes along or is listed, so that portability holds nothing back.
 */
export async function bundleArtifact(
  deps: StudioDeps,
  member: Member,
  artifactId: string,
): Promise<BundleView> {
  const { project, principal } = member;
  const row = await requireLiveArtifact(deps.db, project.id, artifactId);
  await requireReady(deps.db, row);
  const { gated, binding } = await gateArtifact(deps, row);
  const parts = await openSnapshot(deps, project.id, row.snapshot_hash);
  const [base] = await listComponents(deps.db, row.id);
  const ref = base?.ref ?? '';
  const signingKey = ownSigningKey(signingKeyFile(deps.stateDir));
  const { manifest, archive } = await onBundle(() =>
    packProject({
      root: project.root,
      name: baseName(ref).replace(/\.(?:ya?ml|json)$/i, ''),
      document: gated.document,
      layers: layersOf(parts),
      environment: binding.platform_environment,
      version: deps.appVersion,
      signingKey,
    }),
  );
  await inTransaction(deps.db, async (trx) => {
    await requireStillMember(trx, project.id, principal.id, 'viewer');
    await recordAct(deps, trx, member, 'bundle_artifact', {
      artifact_id: row.id,
      revision: row.revision,
    });
  });
  const { keyId, publicKey } = signerOf(signingKey);
  return {
    filename: exportFileName(ref, row.id).replace(/\.yaml$/, BUNDLE_EXTENSION),
    content: Buffer.from(archive).toString('base64'),
    manifest,
    signer: { key_id: keyId, public_key: publicKey, own: true },
  };
}
