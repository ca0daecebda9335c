import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { preflightDraft } from '../../../server/contract/studio/bindings.ts';
import { routeQuery } from '../../data/query-client.ts';
import { PreflightFailure, PreflightView } from '../../environments/preflight-view.tsx';
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

/** What the platform behind the alias has of what the text asks for. */
export function DraftPreflight(props: {
  readonly projectId: string;
  readonly alias: string;
  readonly file: string;
  readonly text: string;
}) {
  const { projectId, alias, file } = props;
  const text = useSettled(props.text);
  const draft = { path: file, revision: '' };
  const flight = useQuery({
    ...routeQuery(preflightDraft, {
      params: { project_id: projectId },
      body: { alias, draft, text },
    }),
    staleTime: 15_000,
    gcTime: 0,
    retry: false,
    placeholderData: (earlier) => earlier,
  });
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
