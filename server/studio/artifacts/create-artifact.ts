import type { AuthoredArtifact } from '../../contract/studio/artifact-view.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { DraftRef } from '../../contract/studio/fields.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import type { AuthoredArtifactRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { listAnalysisHeads, listApplicable } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { isAsserted } from '../drafts/drafts-repository.ts';
import { findLiveBinding } from '../environments/environments-repository.ts';
import { splitBlocking } from '../gaps/gaps-repository.ts';
import type { Handle } from '../handle.ts';
import { requireStillMember } from '../session/authorize.ts';
import { readArtifact } from './artifact-view.ts';
import {
  insertArtifact,
  insertAttestation,
  insertComponent,
  insertUnresolved,
} from './artifacts-repository.ts';
import { type ComponentProvenance, sourceAnalysisState, uniqueGaps } from './provenance-rules.ts';
import { type Component, readComponents } from './read-components.ts';
import { OVERRIDES_NAME, snapshotPart } from './snapshot-manifest.ts';
import { storeSnapshot } from './snapshots.ts';

export interface ArtifactInput {
  readonly base: DraftRef;
  readonly alias: string;
  readonly overlays: readonly DraftRef[];
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** Hash over revisions, overrides and generation, joined by U+0000 (studio.md 7.1). */
function artifactRevision(
  revisions: readonly string[],
  overridesSha256: string,
  generation: number,
): string {
  return sha256Hex([...revisions, overridesSha256, String(generation)].join('\u0000'));
}

async function provenance(
  handle: Handle,
  projectId: string,
  component: Component,
): Promise<ComponentProvenance> {
  const { ref, revision } = component;
  const analysisIds = await listApplicable(handle, projectId, ref, revision);
  const gaps = await splitBlocking(handle, projectId, analysisIds, revision);
  return { ref, revision, analysis_ids: analysisIds, ...gaps };
}

async function stateOf(
  handle: Handle,
  projectId: string,
  components: readonly ComponentProvenance[],
) {
  const ids = [...new Set(components.flatMap((component) => component.analysis_ids))];
  const heads = await listAnalysisHeads(handle, projectId, ids);
  const inherited = heads.map((head) => ({
    id: head.id,
    state: head.state,
    output_sha256: head.output_sha256,
    hasBlocking: parseIds(head.blocking_gap_ids).length > 0,
  }));
  const base = components[0];
  const asserted =
    base !== undefined && (await isAsserted(handle, projectId, base.ref, base.revision));
  return sourceAnalysisState(components, inherited, asserted);
}

async function insertParts(
  handle: Handle,
  artifact: AuthoredArtifactRow,
  components: readonly Component[],
  provenances: readonly ComponentProvenance[],
): Promise<void> {
  const artifact_id = artifact.id;
  for (const [position, { role, ref, revision }] of components.entries()) {
    const row = { artifact_id, position, role, ref, revision };
    await insertComponent(handle, row, provenances[position]?.analysis_ids ?? []);
  }
  const open = uniqueGaps(provenances.flatMap((item) => item.open));
  const unresolved = open.map((gap) => ({ artifact_id, ...gap }));
  await insertUnresolved(handle, unresolved);
  if (artifact.source_analysis_state !== 'attested') return;
  for (const { attested, revision } of provenances) {
    for (const gap of attested) await insertAttestation(handle, { artifact_id, ...gap, revision });
  }
}

/** Freezes components as an artifact (studio.md 7.1): the explicit step after an import. */
export async function createArtifact(
  deps: StudioDeps,
  member: Member,
  input: ArtifactInput,
): Promise<AuthoredArtifact> {
  const { project, principal } = member;
  return deps.locks.run(project.id, async () => {
    const binding = await findLiveBinding(deps.db, project.id, input.alias);
    if (binding === undefined) throw refuse('unknown_alias');
    const components = await readComponents(deps, project, input);
    const overrides = canonicalJson(input.overrides, 'ascii');
    const overridesSha256 = sha256Hex(overrides);
    const [base, ...overlays] = components;
    if (base === undefined) throw new TypeError('an artifact has no base');
    const hash = await storeSnapshot(deps, project, [
      snapshotPart('base', 0, base.ref, base.bytes),
      ...overlays.map((overlay, ord) => snapshotPart('overlay', ord, overlay.ref, overlay.bytes)),
      snapshotPart('overrides', 0, OVERRIDES_NAME, new TextEncoder().encode(overrides)),
    ]);
    const revisions = components.map((component) => component.revision);
    return inTransaction(deps.db, async (trx) => {
      await requireStillMember(trx, project.id, principal.id, 'editor');
      const provenances: ComponentProvenance[] = [];
      for (const component of components) {
        provenances.push(await provenance(trx, project.id, component));
      }
      const row: AuthoredArtifactRow = {
        id: deps.ids.hex(),
        project_id: project.id,
        alias: binding.alias,
        alias_generation: binding.generation,
        overrides_sha256: overridesSha256,
        revision: artifactRevision(revisions, overridesSha256, binding.generation),
        snapshot_hash: hash,
        source_analysis_state: await stateOf(trx, project.id, provenances),
        created_at: deps.timestamp(),
        created_by: principal.id,
        deleted_at: null,
      };
      await insertArtifact(trx, row);
      await insertParts(trx, row, components, provenances);
      await recordAct(deps, trx, member, 'create_artifact', {
        artifact_id: row.id,
        revision: row.revision,
        base: base.ref,
      });
      return readArtifact(trx, row);
    });
  });
}
