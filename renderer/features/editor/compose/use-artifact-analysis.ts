import { useQuery } from '@tanstack/react-query';
import { compositionQuery } from '../../../data/artifact-actions.ts';
import { useWorkerAnswer } from '../compare/use-worker-answer.ts';
import { askSpecWorker } from '../spec-client.ts';
import type { SpecAnalysis } from '../spec-protocol.ts';

/** What the editor's worker says of the composed text of an artifact; null where it says nothing. */
export function useArtifactAnalysis(
  projectId: string,
  artifactId: string,
): SpecAnalysis | null | undefined {
  const composition = useQuery(compositionQuery(projectId, artifactId));
  const text = composition.data?.text;
  const { output, error } = useWorkerAnswer(text ?? '', async () =>
    text === undefined ? undefined : askSpecWorker('analyse', { text, file: 'artifact.yaml' }),
  );
  return composition.isError || error !== undefined ? null : output;
}
