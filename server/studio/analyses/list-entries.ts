import type { AnalysisEntry } from '../../contract/studio/analysis-entries.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { analyzerAge } from '../../importers/versions.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import type { StudioDeps } from '../deps.ts';
import { findDraft, listLinkedAnalyses } from '../drafts/drafts-repository.ts';
import { isRootConfirmed } from '../exposure/exposure.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import { readRevisions } from '../files/tree-files.ts';
import { standingAttestations } from '../gaps/gap-state.ts';
import { listLiveByOutput } from './analyses-repository.ts';
import {
  type AnalysedDraft,
  listAcknowledgedOf,
  listAnalysedDrafts,
  listAnalysesWithAuthor,
  listCarriers,
  listFrozenAnalyses,
  listResolutionsOf,
} from './analysis-entries-repository.ts';
import { parseIds } from './analysis-record.ts';

export interface EntriesOf {
  readonly ref?: string | undefined;
  readonly artifact_id?: string | undefined;
}

type Revisions = ReadonlyMap<string, string>;

/** Parts of a key of texts that hold no NUL. */
const keyOf = (...parts: readonly string[]): string => parts.join('\u0000');

async function revisionsOf(
  deps: StudioDeps,
  project: ProjectRow,
  refs: readonly string[],
): Promise<Revisions> {
  const readable = await isRootConfirmed(deps.db, project);
  return readable ? readRevisions(project.root, [...new Set(refs)]) : new Map();
}

interface Asked {
  readonly pairs: readonly AnalysedDraft[];
  readonly revisions: Revisions;
}

async function ofDraft(deps: StudioDeps, project: ProjectRow, wanted: string): Promise<Asked> {
  const ref = canonicalRef(wanted);
  if (ref === undefined || (await findDraft(deps.db, project.id, ref)) === undefined) {
    throw refuse('draft_not_found');
  }
  const revisions = await revisionsOf(deps, project, [ref]);
  const revision = revisions.get(ref);
  const live = revision === undefined ? [] : await listLiveByOutput(deps.db, project.id, revision);
  const linked = await listLinkedAnalyses(deps.db, project.id, ref);
  const ids = [...new Set([...linked, ...live])];
  return { pairs: ids.map((analysis_id) => ({ ref, analysis_id })), revisions };
}

async function ofArtifact(deps: StudioDeps, projectId: string, wanted: string) {
  const artifact = await requireLiveArtifact(deps.db, projectId, wanted);
  return listFrozenAnalyses(deps.db, artifact.id);
}

async function askedOf(
  deps: StudioDeps,
  project: ProjectRow,
  of: EntriesOf,
  links: readonly AnalysedDraft[],
): Promise<Asked> {
  if (of.artifact_id === undefined && of.ref !== undefined) return ofDraft(deps, project, of.ref);
  const pairs =
    of.artifact_id === undefined ? links : await ofArtifact(deps, project.id, of.artifact_id);
  const refs = pairs.map(({ ref }) => ref);
  return { pairs, revisions: await revisionsOf(deps, project, refs) };
}

/** What was settled of some analyses, met by key. */
async function readSettled(deps: StudioDeps, ids: readonly string[], asked: string | undefined) {
  const [log, acknowledged, carriers] = await Promise.all([
    listResolutionsOf(deps.db, ids),
    listAcknowledgedOf(deps.db, ids),
    listCarriers(deps.db, ids),
  ]);
  const attested = new Set(
    [...Map.groupBy(log, ({ analysis_id }) => analysis_id)].flatMap(([id, own]) =>
      standingAttestations(own).map(({ gap_id, revision }) => keyOf(id, gap_id, revision)),
    ),
  );
  const acks = new Set(
    acknowledged.map((ack) => keyOf(ack.artifact_id, ack.analysis_id, ack.gap_id)),
  );
  const newest = new Map<string, string>();
  for (const { analysis_id, ref, artifact_id } of carriers) {
    const key = keyOf(analysis_id, ref);
    if (!newest.has(key)) newest.set(key, artifact_id);
    if (artifact_id === asked) newest.set(analysis_id, artifact_id);
  }
  return {
    isAttested: (id: string, gap: string, revision: string | null) =>
      revision !== null && attested.has(keyOf(id, gap, revision)),
    isAcknowledged: (artifact: string | null, id: string, gap: string) =>
      artifact !== null && acks.has(keyOf(artifact, id, gap)),
    artifactOf: (id: string, ref: string) => newest.get(id) ?? newest.get(keyOf(id, ref)) ?? null,
  };
}

/** All analyses of a draft, of an artifact or of the project, newest first (studio.md 8.3). */
export async function listEntries(
  deps: StudioDeps,
  project: ProjectRow,
  of: EntriesOf,
): Promise<AnalysisEntry[]> {
  const links = await listAnalysedDrafts(deps.db, project.id);
  const { pairs, revisions } = await askedOf(deps, project, of, links);
  const ids = [...new Set(pairs.map(({ analysis_id }) => analysis_id))];
  const [rows, settled] = await Promise.all([
    listAnalysesWithAuthor(deps.db, project.id, ids),
    readSettled(deps, ids, of.artifact_id),
  ]);
  const linked = new Set(links.map((link) => keyOf(link.ref, link.analysis_id)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const entries = pairs.flatMap(({ ref, analysis_id }): AnalysisEntry[] => {
    const row = byId.get(analysis_id);
    if (row === undefined) return [];
    const { id, blocking_gap_ids, manual_gap_ids, display_name, reclaimed, ...told } = row;
    const revision = revisions.get(ref) ?? null;
    const [blocking, manual] = [parseIds(blocking_gap_ids), parseIds(manual_gap_ids)];
    const artifact_id = settled.artifactOf(id, ref);
    return [
      {
        ...told,
        analysis_id: id,
        ref,
        revision,
        linked: linked.has(keyOf(ref, id)),
        conversion: row.importer.endsWith('/strict') ? 'strict' : 'extended',
        analyzer_age: analyzerAge(row.analyzer_version),
        record: reclaimed === 1 ? 'reclaimed' : 'kept',
        created_by_display_name: display_name,
        blocking: blocking.length,
        manual: manual.length,
        open_blocking: blocking.filter((gap) => !settled.isAttested(id, gap, revision)).length,
        open_manual: manual.filter((gap) => !settled.isAcknowledged(artifact_id, id, gap)).length,
        artifact_id,
      },
    ];
  });
  return entries.sort(
    (a, b) =>
      compareCodePoints(b.created_at, a.created_at) ||
      compareCodePoints(a.ref, b.ref) ||
      compareCodePoints(a.analysis_id, b.analysis_id),
  );
}
