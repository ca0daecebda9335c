import { getGenerated } from '../../../server/contract/studio/analyses.ts';
import { listAnalysisEntries } from '../../../server/contract/studio/analysis-entries.ts';
import {
  type DraftSummary,
  listDrafts,
  type MergedReimport,
  mergeReimport,
  readDraft,
} from '../../../server/contract/studio/drafts.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';

interface Version {
  readonly text: string;
  readonly revision: string;
}

/** The versions that meet when a source is imported again. */
export interface Reimport {
  /** The draft of the first import, as the author has it now. */
  readonly ref: string;
  readonly mine: Version;
  /** What the first import wrote; null when it was not kept. */
  readonly base: string | null;
  /** The draft that the second import wrote. */
  readonly from: string;
  readonly theirs: Version;
}

/** The draft of an earlier import of a file of this name; undefined when there is none. */
export function earlierDraft(
  drafts: readonly Pick<DraftSummary, 'ref' | 'analysis_ids' | 'revision'>[],
  ref: string,
  analysisId: string,
): string | undefined {
  const stem = /^(.+)-\d+\.yaml$/.exec(ref)?.[1];
  const earlier = drafts.find((draft) => draft.ref === `${stem}.yaml`);
  if (earlier === undefined || earlier.revision === null) {
    return undefined;
  }
  const others = earlier.analysis_ids.filter((id) => id !== analysisId);
  return others.length > 0 ? earlier.ref : undefined;
}

async function readVersion(projectId: string, ref: string): Promise<Version> {
  return await call(readDraft, { params: { project_id: projectId, ref } });
}

/**
 * What the latest import of a draft wrote, apart from the new one. Of one that is damaged or dropped
 * only the hash is known: it wrote `theirs` if that is equal.
 */
async function readBase(
  projectId: string,
  ref: string,
  analysisId: string,
  theirs: Version,
): Promise<string | null> {
  const params = { project_id: projectId };
  const entries = await call(listAnalysisEntries, { params, query: { ref } });
  const earlier = entries.filter((entry) => entry.analysis_id !== analysisId);
  if (earlier.some(({ output_sha256 }) => output_sha256 === theirs.revision)) {
    return theirs.text;
  }
  const [latest] = earlier.filter(({ state, record }) => state === 'active' && record === 'kept');
  if (latest === undefined) {
    return null;
  }
  const { analysis_id } = latest;
  return (await call(getGenerated, { params: { ...params, analysis_id } })).spec_yaml;
}

/** The versions to merge when this draft came from a second import; null when it is the first. */
export async function readReimport(
  projectId: string,
  from: string,
  analysisId: string,
  of?: string,
): Promise<Reimport | null> {
  const drafts = await queryClient.fetchQuery(
    routeQuery(listDrafts, { params: { project_id: projectId } }),
  );
  const known = (wanted: string) => drafts.find((draft) => draft.ref === wanted);
  const ref = of !== undefined && of !== from ? of : earlierDraft(drafts, from, analysisId);
  if (ref === undefined || known(ref)?.revision == null) {
    return null;
  }
  const [mine, theirs] = await Promise.all([
    readVersion(projectId, ref),
    readVersion(projectId, from),
  ]);
  return { ref, mine, base: await readBase(projectId, ref, analysisId, theirs), from, theirs };
}

/** Puts a merged text into the edited draft. */
export async function saveMerged(
  projectId: string,
  reimport: Reimport,
  text: string,
): Promise<MergedReimport> {
  const { ref, mine, from, theirs } = reimport;
  const merged = await call(mergeReimport, {
    params: { project_id: projectId },
    body: {
      ref,
      expected_revision: mine.revision,
      from,
      from_revision: theirs.revision,
      text,
    },
  });
  await invalidateAuthoring();
  return merged;
}
