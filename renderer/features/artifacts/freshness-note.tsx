import { useQuery } from '@tanstack/react-query';
import { getFreshness } from '../../../server/contract/studio/freshness.ts';
import { toApiError } from '../../data/api-error.ts';
import { routeQuery } from '../../data/query-client.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  current: 'The analysis is current.',
  older: 'The analysis was made by an older analyzer; importing again may find more.',
  newer: 'The analysis was made by a newer analyzer than this one.',
  unknown: 'The age of the analysis is not known.',
  unordered: 'Analyses of the source cannot be ordered.',
  frozen_history: 'A later analysis of the same source exists.',
  invalid: 'The analysis is damaged or gone.',
  edited_revision: 'The draft was edited after it was analysed.',
  no_inherited_analysis: 'No analysis was inherited.',
};

/** One advisory sentence on how fresh the source analysis is; it never refuses anything. */
export function FreshnessNote(props: { readonly projectId: string; readonly artifactId: string }) {
  const freshness = useQuery(
    routeQuery(getFreshness, {
      params: { project_id: props.projectId, artifact_id: props.artifactId },
    }),
  );
  if (freshness.isError) {
    return (
      <p className="sw-faint">Freshness is not known: {toApiError(freshness.error).message}</p>
    );
  }
  return freshness.isSuccess ? (
    <p className="sw-faint" data-testid="freshness" data-outcome={freshness.data.outcome}>
      {OUTCOMES[freshness.data.outcome] ?? freshness.data.outcome}
    </p>
  ) : null;
}
