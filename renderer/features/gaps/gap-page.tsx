import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './gaps.css';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import {
  type AnalysisEntry,
  listAnalysisEntries,
} from '../../../server/contract/studio/analysis-entries.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { useAnalysisEntries, useArtifacts, useRoleHindrance } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { GapBoard } from './gap-board.tsx';
import type { GapContext } from './gap-model.ts';
import { useGapData } from './gap-queries.ts';
import { gapsOf } from './review/analysis-list.tsx';
import { AnalysisSwitch } from './review/analysis-switch.tsx';
import {
  type Acknowledging,
  acknowledgingArtifact,
  entriesShown,
  openElsewhere,
} from './review/review-model.ts';
import { UnreadAnalysis } from './review/unread-analysis.tsx';

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
  const acknowledging = useAcknowledging(props);
  const data = useGapData(projectId, analysisId, acknowledging.artifact?.id);
  const entries = useEntries(props, data.analysis.isError);
  const rank = useRoleHindrance(projectId, 'owner');
  if (!data.analysis.isSuccess) {
    return <UnreadAnalysis {...props} entries={entries} query={data.analysis} />;
  }
  const analysis = data.analysis.data;
  const related = analysis.related_refs;
  const context: GapContext = {
    analysis,
    draft: related.find(({ path }) => path === props.draftRef) ?? related[0],
    rank,
    artifact: data.artifact.data,
    refused: acknowledging.refused,
    entry: entries.find((entry) => entry.analysis_id === analysisId),
    elsewhere: openElsewhere(entries, analysisId),
    acknowledgements: data.acknowledgements.data ?? NONE,
    resolutions: data.resolutions.data ?? NONE,
  };
  return analysis.gaps.length === 0 ? (
    <NoGaps {...props} analysis={analysis} entries={entries} />
  ) : (
    <GapBoard
      projectId={projectId}
      context={context}
      canvas={data.canvas}
      entries={entries}
      askedArtifact={props.artifactId}
      asked={{ gapId: props.gapId, sourceId: props.sourceId }}
    />
  );
}

/** Where acknowledgements go: to the artifact in the address, else to the newest of the draft. */
function useAcknowledging(props: GapPageProps): Acknowledging<AuthoredArtifact> {
  const { analysisId, draftRef, artifactId } = props;
  const artifacts = useArtifacts(props.projectId);
  return artifacts.isSuccess
    ? acknowledgingArtifact(artifacts.data, analysisId, { ref: draftRef, asked: artifactId })
    : { artifact: undefined, refused: undefined };
}

/** All analyses of the artifact or draft in the address; read again when this one turns out damaged. */
function useEntries(props: GapPageProps, failed: boolean): readonly AnalysisEntry[] {
  const { projectId, draftRef, artifactId } = props;
  const ofDraft = useAnalysisEntries(projectId, draftRef === undefined ? {} : { ref: draftRef });
  const ofArtifact = useAnalysisEntries(
    projectId,
    artifactId === undefined ? {} : { artifact_id: artifactId },
  );
  useEffect(() => {
    if (failed) {
      void queryClient.invalidateQueries({ queryKey: routePrefix(listAnalysisEntries) });
    }
  }, [failed]);
  return entriesShown(ofArtifact.data, ofDraft.data, {
    analysisId: props.analysisId,
    artifactId,
    draftRef,
  });
}

function NoGaps(
  props: GapPageProps & {
    readonly analysis: AnalysisView;
    readonly entries: readonly AnalysisEntry[];
  },
) {
  const { projectId, entries } = props;
  const ref = props.draftRef ?? props.analysis.related_refs[0]?.path;
  const elsewhere = openElsewhere(entries, props.analysisId);
  return (
    <Page title={t('Gaps')}>
      <AnalysisSwitch
        projectId={projectId}
        entries={entries}
        current={props.analysisId}
        artifactId={props.artifactId}
      />
      <EmptyState
        title={t('Nothing to settle')}
        actions={
          <>
            {elsewhere !== undefined && (
              <Button size="xs" onClick={() => navigateTo(gapsOf(projectId, elsewhere))}>
                {t('Review the other import')}
              </Button>
            )}
            {ref !== undefined && (
              <Button
                size="xs"
                variant={elsewhere === undefined ? 'filled' : 'default'}
                onClick={() => navigateTo(paths.draft(projectId, ref))}
              >
                {t('Open editor')}
              </Button>
            )}
          </>
        }
      >
        {rich('Everything in the source has a place in the draft.{value}', {
          value: elsewhere !== undefined && t(' Another import of the draft has gaps open.'),
        })}
      </EmptyState>
    </Page>
  );
}
