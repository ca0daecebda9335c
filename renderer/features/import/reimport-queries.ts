import { getGenerated } from '../../../server/contract/studio/analyses.ts';
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

/** What the latest of these analyses wrote. */
async function readBase(projectId: string, analyses: readonly string[]): Promise<string | null> {
  const made = await Promise.all(
    analyses.map((analysis_id) =>
      call(getGenerated, { params: { project_id: projectId, analysis_id } }),
    ),
  );
  return made.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]?.spec_yaml ?? null;
}

/** The versions to merge when this draft came from a second import; null when it is the first. */
export async function readReimport(
  projectId: string,
  from: string,
  analysisId: string,
): Promise<Reimport | null> {
  const drafts = await queryClient.fetchQuery(
    routeQuery(listDrafts, { params: { project_id: projectId } }),
  );
  const ref = earlierDraft(drafts, from, analysisId);
  if (ref === undefined) {
    return null;
  }
  const known = drafts.find((draft) => draft.ref === ref)?.analysis_ids ?? [];
  const [mine, theirs, base] = await Promise.all([
    readVersion(projectId, ref),
    readVersion(projectId, from),
    readBase(
      projectId,
      known.filter((id) => id !== analysisId),
    ),
  ]);
  return { ref, mine, base, from, theirs };
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
