import { useQuery } from '@tanstack/react-query';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { StageView } from '../../../server/contract/studio/govern.ts';
import { runStage, type StageName } from './artifact-queries.ts';

/** A stage of the platform on an artifact, as far as it has come. */
export interface ArtifactStage {
  readonly name: StageName;
  /** `waiting`: an earlier stage has not said yes. */
  readonly state: 'waiting' | 'running' | 'passed' | 'refused' | 'failed';
  readonly view: StageView | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

const FRESH_MS = 60_000;

function useStage(artifact: AuthoredArtifact, name: StageName, may: boolean): ArtifactStage {
  const query = useQuery({
    queryKey: ['studio', 'govern_stage', artifact.id, name],
    queryFn: () => runStage(artifact.project_id, artifact.id, name),
    enabled: may,
    staleTime: FRESH_MS,
    retry: false,
  });
  const settled = query.isError ? 'failed' : query.data?.ok === true ? 'passed' : 'refused';
  const state = !may ? 'waiting' : query.isFetching || query.isPending ? 'running' : settled;
  return {
    name,
    state,
    view: may && !query.isError ? query.data : undefined,
    error: may && query.isError ? query.error : undefined,
    again: () => void query.refetch(),
  };
}

/** What the platform says of an artifact, stage after stage; asked by itself. */
export function useArtifactStages(artifact: AuthoredArtifact): readonly ArtifactStage[] {
  const validate = useStage(artifact, 'validate', true);
  const compile = useStage(artifact, 'compile', validate.view?.ok === true);
  const report = useStage(artifact, 'policy_report', compile.view?.ok === true);
  return [validate, compile, report];
}
