import type {
  ArtifactFreshnessView,
  ComponentFreshnessView,
  ProjectFreshness,
} from '../../contract/studio/freshness.ts';
import { ANALYZER_VERSION } from '../../importers/versions.ts';
import type {
  ArtifactComponentRow,
  AuthoredArtifactRow,
  ProjectRow,
} from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import type { StudioDeps } from '../deps.ts';
import {
  type FreshHead,
  type FreshnessRecords,
  readFreshnessRecords,
} from './freshness-repository.ts';
import { componentOutcome, lineageView, severest } from './freshness-rules.ts';

/** Parts of a key of texts that hold no NUL. */
const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\u0000');
const lineageOf = (head: FreshHead): string =>
  keyOf(head.source_sha256, head.importer, head.output_sha256);

/** The records of freshness, met by key. */
interface Known {
  readonly heads: ReadonlyMap<string, FreshHead>;
  readonly lineages: ReadonlyMap<string, readonly FreshHead[]>;
  readonly frozen: ReadonlyMap<string, readonly { analysis_id: string }[]>;
}

function knownOf({ heads, frozen }: FreshnessRecords): Known {
  return {
    heads: new Map(heads.map((head) => [head.id, head])),
    lineages: Map.groupBy(heads, lineageOf),
    frozen: Map.groupBy(frozen, (link) => keyOf(link.artifact_id, link.position)),
  };
}

function componentView(known: Known, component: ArtifactComponentRow): ComponentFreshnessView {
  const { ref, revision, position } = component;
  const links = known.frozen.get(keyOf(component.artifact_id, position)) ?? [];
  const frozen = links.flatMap(({ analysis_id }) => known.heads.get(analysis_id) ?? []);
  const exact = frozen.filter((head) => head.output_sha256 === revision);
  const edited = frozen.length > 0 && exact.length === 0;
  const groups = Map.groupBy(edited ? frozen : exact, lineageOf);
  const lineages = [...groups.keys()].sort().map((key) =>
    lineageView({
      ref,
      carried: groups.get(key) ?? [],
      members: known.lineages.get(key) ?? [],
      others: frozen,
    }),
  );
  const outcome = componentOutcome(lineages, edited);
  return { edited_revision: edited, lineages, outcome, position, ref, revision };
}

function artifactView(
  artifact: AuthoredArtifactRow,
  components: readonly ComponentFreshnessView[],
): ArtifactFreshnessView {
  return {
    artifact_id: artifact.id,
    components: [...components],
    legacy_coverage_rule: false,
    outcome: severest(components.map((component) => component.outcome)),
    readiness: artifact.source_analysis_state,
    running_analyzer_version: ANALYZER_VERSION,
  };
}

/** Whether what the artifact inherited is still the latest word: advice, never a refusal. */
export async function readFreshness(
  deps: StudioDeps,
  project: ProjectRow,
  artifactId: string,
): Promise<ArtifactFreshnessView> {
  const artifact = await requireLiveArtifact(deps.db, project.id, artifactId);
  const records = await readFreshnessRecords(deps.db, project.id, artifact.id);
  const known = knownOf(records);
  return artifactView(
    artifact,
    records.components.map((component) => componentView(known, component)),
  );
}

/** The same advice for every live artifact of a project, newest first. */
export async function readProjectFreshness(
  deps: StudioDeps,
  project: ProjectRow,
): Promise<ProjectFreshness> {
  const records = await readFreshnessRecords(deps.db, project.id);
  const known = knownOf(records);
  const parts = Map.groupBy(records.components, ({ artifact_id }) => artifact_id);
  const artifacts = records.artifacts.map((artifact) => {
    const own = parts.get(artifact.id) ?? [];
    const components = own.map((component) => componentView(known, component));
    const { artifact_id, outcome, readiness } = artifactView(artifact, components);
    const offers = components.flatMap(({ lineages }) => lineages.flatMap((one) => one.offers));
    return {
      artifact_id,
      base_ref: own[0]?.ref ?? '',
      created_at: artifact.created_at,
      outcome,
      readiness,
      offers: [...new Set(offers.map(({ kind }) => kind))],
    };
  });
  return { running_analyzer_version: ANALYZER_VERSION, artifacts };
}
