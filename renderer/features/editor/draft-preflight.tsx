import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { preflightDraft } from '../../../server/contract/studio/bindings.ts';
import { toApiError } from '../../data/api-error.ts';
import { routeQuery } from '../../data/query-client.ts';
import { PreflightFailure, PreflightView } from '../../environments/preflight-view.tsx';
import { RunNeeds } from '../../environments/run-needs.tsx';
import { ListSkeleton } from '../../ui/page.tsx';

/** A pause in typing. */
const IDLE_MS = 900;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), IDLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface FlightProps {
  readonly projectId: string;
  readonly alias: string;
  readonly file: string;
  readonly text: string;
}

function useFlight({ projectId, alias, file, text: typed }: FlightProps) {
  const text = useSettled(typed);
  const draft = { path: file, revision: '' };
  return useQuery({
    ...routeQuery(preflightDraft, {
      params: { project_id: projectId },
      body: { alias, draft, text },
    }),
    staleTime: 15_000,
    gcTime: 0,
    retry: false,
    placeholderData: (earlier) => earlier,
  });
}

/** What the platform behind the alias has of what the text asks for. */
export function DraftPreflight(props: FlightProps) {
  const { projectId, alias } = props;
  const flight = useFlight(props);
  if (flight.isError) {
    return (
      <PreflightFailure
        projectId={projectId}
        alias={alias}
        error={flight.error}
        onRetry={() => void flight.refetch()}
      />
    );
  }
  return flight.isSuccess ? (
    <PreflightView projectId={projectId} preflight={flight.data} />
  ) : (
    <ListSkeleton rows={4} />
  );
}

/** Refusals of the text itself, which the run tells with their lines. */
const OF_TEXT = new Set(['request_invalid', 'spec_capability_refused', 'spec_too_complex']);

/** Before a run of the text: what the platform behind the alias lacks for it. */
export function DraftNeeds(props: FlightProps & { readonly except: readonly string[] }) {
  const { data, error, refetch } = useFlight(props);
  const told = error === null || OF_TEXT.has(toApiError(error).code) ? undefined : error;
  const retry = (): void => void refetch();
  return (
    <RunNeeds
      projectId={props.projectId}
      alias={props.alias}
      preflight={error === null ? data : undefined}
      error={told}
      except={props.except}
      onRetry={retry}
    />
  );
}
