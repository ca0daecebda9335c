import type {
  AuthoredArtifactRow,
  ProjectEnvironmentRow,
  ProjectRow,
} from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { composeSnapshot } from '../artifacts/compose.ts';
import { openSnapshot } from '../artifacts/snapshots.ts';
import type { StudioDeps } from '../deps.ts';
import { findGeneration } from '../environments/environments-repository.ts';
import { type GatedSpec, gateSpec } from './gated-spec.ts';
import { unbound } from './platform-refusal.ts';

/** An artifact, composed from its frozen bytes and let through by the gate of its frozen binding. */
export interface OpenArtifact {
  readonly artifact: AuthoredArtifactRow;
  readonly binding: ProjectEnvironmentRow;
  readonly gated: GatedSpec;
}

/** The generation that an artifact is frozen to, retired or not. @throws Refusal `project_unbound`. */
export async function frozenBinding(
  deps: StudioDeps,
  artifact: AuthoredArtifactRow,
): Promise<ProjectEnvironmentRow> {
  const { project_id, alias, alias_generation } = artifact;
  const binding = await findGeneration(deps.db, project_id, alias, alias_generation);
  if (binding === undefined) throw unbound();
  return binding;
}

/** Opens a live artifact: snapshot, proof, composition, gate, size (studio.md 9.1). */
export async function openArtifact(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
): Promise<OpenArtifact> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  return gateArtifact(deps, artifact);
}

/** As openArtifact, for an artifact that was looked up already. */
export async function gateArtifact(
  deps: StudioDeps,
  artifact: AuthoredArtifactRow,
): Promise<OpenArtifact> {
  const parts = await openSnapshot(deps, artifact.project_id, artifact.snapshot_hash);
  const binding = await frozenBinding(deps, artifact);
  return { artifact, binding, gated: gateSpec(composeSnapshot(parts), binding) };
}
