import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { GraphCanvas } from '../../../graph/graph-canvas.tsx';
import { ListSkeleton } from '../../../ui/page.tsx';
import { useArtifactAnalysis } from './use-artifact-analysis.ts';

/** The composed text of an artifact as the editor draws it; `otherwise` where it cannot be drawn. */
export function ArtifactDrawing(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: string;
  readonly otherwise: ReactNode;
}) {
  const analysis = useArtifactAnalysis(props.projectId, props.artifactId);
  if (analysis === undefined) return <ListSkeleton rows={5} />;
  if (analysis === null || analysis.graph === null) return props.otherwise;
  return (
    <div className="sw-artifact-graph">
      <GraphCanvas graph={analysis.graph} label={t('Graph of {name}', { name: props.name })} />
    </div>
  );
}
