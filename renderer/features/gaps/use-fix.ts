import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type {
  FixOffer,
  FixResult,
  FixTarget,
  FixValues,
} from '../../../server/gaps/fixes/fix-types.ts';
import { ApiError } from '../../data/api-error.ts';
import { queryClient } from '../../data/query-client.ts';
import { useStore } from '../../ui/store.ts';
import { dirtyDraftsStore } from '../../workbench/dirty-drafts.ts';
import { askDraft } from './draft/draft-client.ts';
import { fetchDraftText, storeDraftText } from './gap-queries.ts';

export interface FixSession {
  readonly offers: readonly FixOffer[];
  readonly offer: FixOffer | undefined;
  readonly values: FixValues;
  /** The text that the edit starts from, at its revision. */
  readonly base: { readonly text: string; readonly revision: string } | undefined;
  /** The edited text and what became of each gap; undefined while it is made. */
  readonly result: FixResult | undefined;
  readonly pending: boolean;
  readonly error: unknown;
  /** Somebody saved the draft since the dialog opened, so that the edit was made anew. */
  readonly moved: boolean;
  /** The editor holds text of this draft that is not saved. */
  readonly unsaved: boolean;
  choose(fixId: string): void;
  fill(name: string, value: string): void;
  /**
   * Stores the edited text; answers the new revision, or undefined when somebody saved the draft
   * since it was read.
   */
  store(): Promise<string | undefined>;
  retry(): void;
}

const draftKey = (projectId: string, ref: string) => ['fix_draft', projectId, ref] as const;

/** The edits that answer some gaps of a draft: offered, filled in, previewed, stored. */
export function useFix(
  projectId: string,
  ref: string,
  targets: readonly FixTarget[],
  begin: string | null = null,
): FixSession {
  const [chosen, setChosen] = useState(begin);
  const [filled, setFilled] = useState<Readonly<Record<string, FixValues>>>({});
  const [moved, setMoved] = useState(false);
  const unsaved = useStore(dirtyDraftsStore).has(`${projectId}\n${ref}`);
  const key = draftKey(projectId, ref);
  useEffect(
    () => () => queryClient.removeQueries({ queryKey: draftKey(projectId, ref) }),
    [projectId, ref],
  );
  const draft = useQuery({
    queryKey: key,
    queryFn: () => fetchDraftText(projectId, ref),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const base = draft.data;
  const whole = { text: base?.text ?? '', file: ref };
  const offers = useQuery({
    queryKey: [...key, base?.revision, 'offers', targets],
    enabled: base !== undefined,
    queryFn: () => askDraft('offers', { ...whole, targets }),
  });
  const offer = offers.data?.find(({ id }) => id === chosen) ?? offers.data?.[0];
  const initial = Object.fromEntries((offer?.fields ?? []).map((f) => [f.name, f.initial]));
  const values = { ...initial, ...(offer === undefined ? {} : filled[offer.id]) };
  const result = useQuery({
    queryKey: [...key, base?.revision, 'result', offer?.id, values, targets],
    enabled: base !== undefined && offer !== undefined,
    placeholderData: (earlier) => earlier,
    queryFn: () =>
      askDraft('fix', {
        ...whole,
        fix: offer?.id ?? '',
        values,
        targets: targets.filter(({ gap_id }) => offer?.gap_ids.includes(gap_id) === true),
      }),
  });
  const again = async (): Promise<void> => {
    await draft.refetch();
    setMoved(true);
  };
  return {
    offers: offers.data ?? [],
    offer,
    values,
    base,
    result: result.isPlaceholderData ? undefined : result.data,
    pending: draft.isPending || offers.isLoading,
    error: draft.error ?? offers.error ?? result.error ?? undefined,
    moved,
    unsaved,
    choose: setChosen,
    fill: (name, value) => {
      if (offer !== undefined) {
        setFilled((all) => ({
          ...all,
          [offer.id]: { ...values, ...all[offer.id], [name]: value },
        }));
      }
    },
    store: async () => {
      if (base === undefined || result.data === undefined || result.isPlaceholderData) {
        return undefined;
      }
      try {
        const at = { path: ref, revision: base.revision };
        return await storeDraftText(projectId, at, result.data.text);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'draft_stale') {
          await again();
          return undefined;
        }
        throw error;
      }
    },
    retry: () => void draft.refetch(),
  };
}
