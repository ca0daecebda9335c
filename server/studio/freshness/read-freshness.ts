import type {
  ArtifactFreshnessView,
  ComponentFreshnessView,
} from '../../contract/studio/freshness.ts';
import { ANALYZER_VERSION } from '../../importers/versions.ts';
import type { ArtifactComponentRow, ProjectRow } from '../../store/studio-tables.ts';
import {
  type AnalysisHead,
  listAnalysisHeads,
  listLineage,
} from '../analyses/analyses-repository.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { listComponentAnalyses, listComponents } from '../artifacts/artifacts-repository.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { componentOutcome, lineageView, severest } from './freshness-rules.ts';

function groupByLineage(heads: readonly AnalysisHead[]): AnalysisHead[][] {
  const groups = new Map<string, AnalysisHead[]>();
  for (const head of heads) {
    const key = [head.source_sha256, head.importer, head.output_sha256].join('\u0000');
    groups.set(key, [...(groups.get(key) ?? []), head]);
  }
  return [...groups.keys()].sort().map((key) => groups.get(key) ?? []);
}

async function componentView(
  handle: Handle,
  projectId: string,
  component: ArtifactComponentRow,
  ids: readonly string[],
): Promise<ComponentFreshnessView> {
  const { ref, revision, position } = component;
  const frozen = await listAnalysisHeads(handle, projectId, ids);
  const exact = frozen.filter((head) => head.output_sha256 === revision);
  const edited = frozen.length > 0 && exact.length === 0;
  const lineages = [];
  for (const carried of groupByLineage(edited ? frozen : exact)) {
    const [key] = carried;
    if (key === undefined) continue;
    const members = await listLineage(handle, key);
    lineages.push(lineageView({ ref, carried, members, others: frozen }));
  }
  const outcome = componentOutcome(lineages, edited);
  return { edited_revision: edited, lineages, outcome, position, ref, revision };
}

/** Whether what the artifact inherited is still the latest word: advice, never a refusal. */
export async function readFreshness(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
): Promise<ArtifactFreshnessView> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  const frozen = await listComponentAnalyses(deps.db, artifact.id);
  const components: ComponentFreshnessView[] = [];
  for (const component of await listComponents(deps.db, artifact.id)) {
    const ids = frozen.get(component.position) ?? [];
    components.push(await componentView(deps.db, project.id, component, ids));
  }
  return {
    artifact_id: artifact.id,
    components,
    legacy_coverage_rule: false,
    outcome: severest(components.map((component) => component.outcome)),
    readiness: artifact.source_analysis_state,
    running_analyzer_version: ANALYZER_VERSION,
  };
}
