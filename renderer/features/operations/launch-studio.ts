import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getArtifact } from '../../../server/contract/studio/artifacts.ts';
import { readDraft } from '../../../server/contract/studio/drafts.ts';
import { getComposition } from '../../../server/contract/studio/govern.ts';
import { routeQuery } from '../../data/query-client.ts';
import { isServed } from '../../data/served.ts';
import type { LaunchForm, StudioText } from './launch-model.ts';

/** So often a chosen draft is looked at again: what runs is what it says now. */
const DRAFT_MS = 8_000;

/** The chosen draft or artifact, as the studio has it. */
export interface StudioRead {
  readonly text: StudioText | undefined;
  readonly isReading: boolean;
  readonly error: unknown;
  /** Blocking gaps of an artifact that nobody has settled. */
  readonly open: number;
  readonly retry: () => void;
}

/** True where this window has a studio to read from. */
export const HAS_STUDIO = isServed('studio');

function useDraftText(form: LaunchForm) {
  const enabled = HAS_STUDIO && form.kind === 'draft' && form.draft !== '';
  const params = { project_id: form.project, ref: form.draft };
  return useQuery({
    ...routeQuery(readDraft, { params }),
    enabled,
    staleTime: 0,
    refetchInterval: DRAFT_MS,
  });
}

function useArtifactText(form: LaunchForm) {
  const enabled = HAS_STUDIO && form.kind === 'artifact' && form.artifact !== '';
  const params = { project_id: form.project, artifact_id: form.artifact };
  const facts = useQuery({ ...routeQuery(getArtifact, { params }), enabled, staleTime: 0 });
  const composed = useQuery({ ...routeQuery(getComposition, { params }), enabled });
  return { facts, composed };
}

/** Reads what is chosen in the studio; nothing while the spec comes from elsewhere. */
export function useStudioText(form: LaunchForm): StudioRead {
  const draft = useDraftText(form);
  const { facts, composed } = useArtifactText(form);
  const { kind, project: project_id } = form;
  const text = useMemo((): StudioText | undefined => {
    if (kind === 'draft' && draft.data !== undefined) {
      const { ref, revision } = draft.data;
      return { text: draft.data.text, source: { kind, project_id, ref, revision } };
    }
    if (kind === 'artifact' && facts.data !== undefined && composed.data !== undefined) {
      const { id: artifact_id, base, revision } = facts.data;
      const source = { kind, project_id, artifact_id, draft_ref: base.path, revision };
      return { text: composed.data.text, source };
    }
    return undefined;
  }, [kind, project_id, draft.data, facts.data, composed.data]);
  const asked = kind === 'draft' ? [draft] : kind === 'artifact' ? [facts, composed] : [];
  return {
    text,
    isReading: asked.some(({ isLoading }) => isLoading),
    error: asked.find(({ error }) => error !== null)?.error ?? undefined,
    open: kind === 'artifact' ? (facts.data?.unresolved_blocking_gaps.length ?? 0) : 0,
    retry: () => {
      for (const query of asked) {
        void query.refetch();
      }
    },
  };
}
