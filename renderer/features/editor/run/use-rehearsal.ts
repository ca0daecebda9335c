import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Rehearsal } from '../../../../server/contract/platform/rehearsals.ts';
import { type CanvasView, getAnalysisCanvas } from '../../../../server/contract/studio/analyses.ts';
import { namedSources } from '../../../../server/gaps/fixes/source-links.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { localStore } from '../../../desktop/local-store.ts';
import { noteRehearsal } from '../../../workbench/last-rehearsal.ts';
import type { StandIn } from '../spec-protocol.ts';
import {
  type AnswerDraft,
  type KeptRehearsal,
  needsIn,
  type PinnedByKey,
  partId,
  proposed,
  type RehearsalNeed,
  readKept,
  rehearsalWith,
} from './rehearsal-model.ts';

/** The rehearsal of a draft as the run panel shows it. */
export interface RehearsalSession {
  readonly on: boolean;
  readonly setOn: (on: boolean) => void;
  readonly needs: readonly RehearsalNeed[];
  /** Steps and tools that run by themselves; one can be answered for all the same. */
  readonly others: readonly RehearsalNeed[];
  readonly draftOf: (need: RehearsalNeed) => AnswerDraft;
  readonly answer: (need: RehearsalNeed, draft: AnswerDraft) => void;
  /** What goes with a run; undefined while nothing is rehearsed, a text for what is wrong. */
  readonly sent: Rehearsal | string | undefined;
  /** Called with the run that was started. */
  readonly started: (runId: string) => void;
}

/** What the sources of a draft pin, by the key of the step that it became. */
function usePinned(
  projectId: string,
  analysisIds: readonly string[],
  enabled: boolean,
): PinnedByKey {
  return useQueries({
    queries: analysisIds.map((analysis_id) => ({
      ...routeQuery(getAnalysisCanvas, { params: { project_id: projectId, analysis_id } }),
      staleTime: Number.POSITIVE_INFINITY,
      enabled,
    })),
    combine: pinnedOf,
  });
}

function pinnedOf(results: readonly { readonly data: CanvasView | undefined }[]): PinnedByKey {
  return Object.fromEntries(
    results.flatMap(({ data }) => {
      const names = new Map(namedSources(data).map(({ source_id, name }) => [source_id, name]));
      return (data?.pinned ?? []).map(({ source_id, items }) => [
        names.get(source_id) ?? '',
        items,
      ]);
    }),
  );
}

/** What answers for the steps of a draft that cannot run, kept beside its input. */
export function useRehearsal(options: {
  readonly projectId: string;
  readonly draftRef: string;
  readonly analysisIds: readonly string[];
  readonly parts: readonly StandIn[];
  readonly findings: readonly { readonly code: string; readonly path: string | null }[];
  /** The panel is open. */
  readonly open: boolean;
}): RehearsalSession {
  const { projectId, draftRef, parts, findings } = options;
  const key = `run-rehearsal:${projectId}\n${draftRef}`;
  const [kept, setKept] = useState<KeptRehearsal>(() => readKept(localStore.get(key)));
  const pinned = usePinned(projectId, options.analysisIds, options.open || kept.on);
  const { needs, others } = useMemo(
    () => needsIn(parts, findings, pinned, kept.answers),
    [parts, findings, pinned, kept.answers],
  );
  const keep = (next: KeptRehearsal): void => {
    setKept(next);
    localStore.set(key, JSON.stringify(next));
  };
  return {
    on: kept.on,
    setOn: (on) => keep({ ...kept, on }),
    needs,
    others,
    draftOf: (need) => kept.answers[partId(need.part)] ?? proposed(need),
    answer: (need, draft) =>
      keep({ ...kept, answers: { ...kept.answers, [partId(need.part)]: draft } }),
    sent: kept.on ? rehearsalWith(needs, kept.answers) : undefined,
    started: (runId) => {
      if (kept.on) noteRehearsal(projectId, draftRef, runId);
    },
  };
}
