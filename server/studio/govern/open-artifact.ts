import type {
  AuthoredArtifactRow,
  ProjectEnvironmentRow,
  ProjectRow,
} from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { openSnapshot } from '../artifacts/snapshots.ts';
import type { StudioDeps } from '../deps.ts';
import { findGeneration } from '../environments/environments-repository.ts';
import { told } from './draft-reader.ts';
import type { OpenedSpec } from './draft-work.ts';
import { gateSetting } from './gated-spec.ts';
import { unbound } from './platform-refusal.ts';

/** An artifact, composed from its frozen bytes and let through by the gate of its frozen binding. */
export interface OpenArtifact extends OpenedSpec {
  readonly artifact: AuthoredArtifactRow;
  readonly binding: ProjectEnvironmentRow;
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

/** As openArtifact, for an artifact that was looked up already. `withYaml` writes its text as well. */
export async function gateArtifact(
  deps: StudioDeps,
  artifact: AuthoredArtifactRow,
  withYaml = false,
): Promise<OpenArtifact> {
  const parts = await openSnapshot(deps, artifact.project_id, artifact.snapshot_hash);
  const binding = await frozenBinding(deps, artifact);
  const size = parts.reduce((sum, part) => sum + part.len, 0);
  const { transport } = binding;
  const input = { parts, setting: gateSetting(binding), transport, withYaml };
  return { artifact, binding, ...told(await deps.drafts.opened(size, input)) };
}
