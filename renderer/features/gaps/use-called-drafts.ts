import { useQuery } from '@tanstack/react-query';
import { getEstate, type ProjectEstate } from '../../../server/contract/studio/estate.ts';
import type { CalledDraft, FixTarget } from '../../../server/gaps/fixes/fix-types.ts';
import { fileName } from '../../data/draft-names.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { fetchDraftText } from './gap-queries.ts';

/** The drafts that the calls of a draft may mean, by the element that calls. */
function refsByLabel({ calls }: ProjectEstate, draftPath: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { from, label, to } of calls) {
    if (from !== draftPath) continue;
    const refs = found.get(label) ?? new Set();
    for (const ref of to) if (ref !== draftPath) refs.add(ref);
    found.set(label, refs);
  }
  return found;
}

/** Reads the estate now, and the drafts that gaps of these labels may mean. */
async function readCalled(
  projectId: string,
  draftPath: string,
  labels: readonly string[],
): Promise<ReadonlyMap<string, readonly CalledDraft[]>> {
  const estate = await queryClient.fetchQuery(
    routeQuery(getEstate, { params: { project_id: projectId } }),
  );
  const byLabel = refsByLabel(estate, draftPath);
  const read = async (ref: string): Promise<CalledDraft> => {
    const { text } = await fetchDraftText(projectId, ref);
    const draft = estate.drafts.find((one) => one.ref === ref);
    const name = draft?.workflow.name ?? fileName(ref);
    return { ref, name, text, blocking: draft?.blocking ?? 0 };
  };
  const found = labels.map(async (label) => {
    const refs = [...(byLabel.get(label) ?? [])];
    return [label, await Promise.all(refs.map(read))] as const;
  });
  return new Map(await Promise.all(found));
}

/** Gaps with the drafts that their elements may run, when some of them run other workflows. */
export function useCalledDrafts(
  projectId: string,
  draftPath: string,
  targets: readonly FixTarget[],
) {
  const labels = [
    ...new Set(targets.flatMap(({ kind, label }) => (kind === 'subworkflow' ? [label] : []))),
  ];
  const called = useQuery({
    queryKey: ['called_drafts', projectId, draftPath, labels],
    enabled: labels.length > 0,
    gcTime: 0,
    queryFn: () => readCalled(projectId, draftPath, labels),
  });
  return {
    pending: called.isLoading,
    error: called.error ?? undefined,
    retry: () => void called.refetch(),
    of: (target: FixTarget): readonly CalledDraft[] =>
      target.kind === 'subworkflow' ? (called.data?.get(target.label) ?? []) : [],
  };
}
