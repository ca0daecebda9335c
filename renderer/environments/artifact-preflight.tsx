import { useQuery } from '@tanstack/react-query';
import type { AuthoredArtifact } from '../../server/contract/studio/artifact-view.ts';
import { getArtifactNeeds } from '../../server/contract/studio/bindings.ts';
import {
  preflightCredentialRefs,
  preflightPolicy,
} from '../../server/contract/studio/environments.ts';
import { routeQuery } from '../data/query-client.ts';
import { ListSkeleton } from '../ui/page.tsx';
import { type Preflight, PreflightFailure, PreflightView } from './preflight-view.tsx';

/** How far the preflight of an artifact has come. */
export interface ArtifactFlight {
  readonly preflight: Preflight | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}

const FRESH_MS = 15_000;

/** Policy, credentials and needs of an artifact on the generation that it is frozen to. */
export function useArtifactPreflight(artifact: AuthoredArtifact): ArtifactFlight {
  const input = { params: { project_id: artifact.project_id, artifact_id: artifact.id } };
  const fresh = { staleTime: FRESH_MS };
  const policy = useQuery({ ...routeQuery(preflightPolicy, input), ...fresh });
  const credentials = useQuery({ ...routeQuery(preflightCredentialRefs, input), ...fresh });
  const needs = useQuery({ ...routeQuery(getArtifactNeeds, input), staleTime: Infinity });
  const all = [policy, credentials, needs];
  const error = all.find(({ isError }) => isError)?.error ?? undefined;
  const preflight =
    policy.isSuccess && credentials.isSuccess && needs.isSuccess
      ? { policy: policy.data, credentials: credentials.data, needs: needs.data }
      : undefined;
  const onRetry = (): void => {
    for (const query of all) {
      if (query.isError) {
        void query.refetch();
      }
    }
  };
  return { preflight, error, onRetry };
}

/** The preflight of an artifact, or why there is none. */
export function ArtifactPreflight(props: {
  readonly artifact: AuthoredArtifact;
  readonly flight: ArtifactFlight;
}) {
  const { artifact, flight } = props;
  if (flight.error !== undefined) {
    return (
      <PreflightFailure
        projectId={artifact.project_id}
        alias={artifact.alias}
        error={flight.error}
        onRetry={flight.onRetry}
      />
    );
  }
  return flight.preflight === undefined ? (
    <ListSkeleton rows={4} />
  ) : (
    <PreflightView projectId={artifact.project_id} preflight={flight.preflight} />
  );
}
