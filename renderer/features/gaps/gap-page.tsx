import './gaps.css';
import { Button } from '@mantine/core';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useArtifacts } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { GapBoard } from './gap-board.tsx';
import type { GapContext } from './gap-model.ts';
import { useGapData } from './gap-queries.ts';

export interface GapPageProps {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  readonly artifactId: string | undefined;
  /** The gap, or the element of the source, that the address names. */
  readonly gapId: string | undefined;
  readonly sourceId: string | undefined;
}

const NONE: readonly never[] = [];

/** The gaps of one analysis, to be settled one after the other until nothing blocks export. */
export function GapPage(props: GapPageProps) {
  const { projectId, analysisId } = props;
  const latest = useLatestArtifact(props);
  const data = useGapData(projectId, analysisId, latest);
  if (!data.analysis.isSuccess) {
    return (
      <Page title="Gaps">
        <Unread query={data.analysis} rows={10} />
      </Page>
    );
  }
  const analysis = data.analysis.data;
  const related = analysis.related_refs;
  const context: GapContext = {
    analysis,
    draft: related.find(({ path }) => path === props.draftRef) ?? related[0],
    artifact: data.artifact.data,
    acknowledgements: data.acknowledgements.data ?? NONE,
    resolutions: data.resolutions.data ?? NONE,
  };
  return analysis.gaps.length === 0 ? (
    <NoGaps projectId={projectId} analysis={analysis} />
  ) : (
    <GapBoard
      projectId={projectId}
      context={context}
      canvas={data.canvas}
      asked={{ gapId: props.gapId, sourceId: props.sourceId }}
    />
  );
}

/** The artifact that acknowledgements go to: the one in the address, else the newest of the draft. */
function useLatestArtifact(props: GapPageProps): string | undefined {
  const artifacts = useArtifacts(props.projectId);
  const newest = artifacts.data?.find(
    (artifact) =>
      artifact.analysis_ids.includes(props.analysisId) &&
      (props.draftRef === undefined || artifact.base.path === props.draftRef),
  );
  return props.artifactId ?? newest?.id;
}

function NoGaps(props: { readonly projectId: string; readonly analysis: AnalysisView }) {
  const ref = props.analysis.related_refs[0]?.path;
  return (
    <Page title="Gaps">
      <EmptyState
        title="Nothing to settle"
        actions={
          ref !== undefined && (
            <Button size="xs" onClick={() => navigateTo(paths.draft(props.projectId, ref))}>
              Open editor
            </Button>
          )
        }
      >
        Everything in the source has a place in the draft.
      </EmptyState>
    </Page>
  );
}
