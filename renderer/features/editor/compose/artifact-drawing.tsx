import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { compositionQuery } from '../../../data/artifact-actions.ts';
import { GraphCanvas } from '../../../graph/graph-canvas.tsx';
import { ListSkeleton } from '../../../ui/page.tsx';
import { useWorkerAnswer } from '../compare/use-worker-answer.ts';
import { askSpecWorker } from '../spec-client.ts';

/** The composed text of an artifact as the editor draws it; `otherwise` where it cannot be drawn. */
export function ArtifactDrawing(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: string;
  readonly otherwise: ReactNode;
}) {
  const composition = useQuery(compositionQuery(props.projectId, props.artifactId));
  const text = composition.data?.text;
  const { output, error } = useWorkerAnswer(text ?? '', async () =>
    text === undefined ? undefined : askSpecWorker('analyse', { text, file: 'artifact.yaml' }),
  );
  if (composition.isError || error !== undefined || output?.graph === null) return props.otherwise;
  if (output === undefined) return <ListSkeleton rows={5} />;
  return (
    <div className="sw-artifact-graph">
      <GraphCanvas graph={output.graph} label={`Graph of ${props.name}`} />
    </div>
  );
}
