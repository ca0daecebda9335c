import type { ReactNode } from 'react';
import type { FlowTrigger } from '../../../run-input/flow-input.ts';
import { useArtifactAnalysis } from './use-artifact-analysis.ts';

/**
 * Reads what a run of an artifact may begin with: undefined until it is known, null where that is no
 * item flow or cannot be read.
 */
export function ArtifactFlow(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly children: (flow: readonly FlowTrigger[] | null | undefined) => ReactNode;
}) {
  const analysis = useArtifactAnalysis(props.projectId, props.artifactId);
  return props.children(analysis === null ? null : analysis?.flow);
}
