import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getArtifactGraph } from '../../../server/contract/studio/govern.ts';
import { routeQuery } from '../../data/query-client.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { graphFromWire } from '../../graph/graph-model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Unread } from '../../ui/unread.tsx';

/** The artifact's topology as the platform draws it, for a text that cannot be drawn here. */
export function PlatformGraph(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: string;
}) {
  const view = useQuery({
    ...routeQuery(getArtifactGraph, {
      params: { project_id: props.projectId },
      body: { artifact_id: props.artifactId },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const graph = useMemo(
    () => (view.data?.available === true ? graphFromWire(view.data) : null),
    [view.data],
  );
  if (!view.isSuccess) {
    return <Unread query={view} rows={5} compact />;
  }
  if (graph === null) {
    return (
      <EmptyState compact title={t('The platform draws no graph of this spec')}>
        {view.data.unavailable_reason}
      </EmptyState>
    );
  }
  return (
    <div className="sw-artifact-graph">
      <GraphCanvas graph={graph} label={t('Graph of {name}', { name: props.name })} />
    </div>
  );
}
