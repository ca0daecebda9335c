import { t } from '../../../../preload/texts/t.ts';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../../ui/page.tsx';
import { AnalysisTabs } from '../analysis-tabs.tsx';
import { TroubleWay } from './analysis-list.tsx';
import { AnalysisSwitch } from './analysis-switch.tsx';
import { ImportOf } from './analysis-words.tsx';
import { troubleOf } from './review-model.ts';

/** An analysis whose gaps cannot be shown: why, what to do, and the others of the same draft. */
export function UnreadAnalysis(props: {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  readonly artifactId: string | undefined;
  readonly entries: readonly AnalysisEntry[];
  readonly query: { readonly isPending: boolean; readonly error: unknown; refetch(): unknown };
}) {
  const { projectId, analysisId, entries, query } = props;
  const entry = entries.find(({ analysis_id }) => analysis_id === analysisId);
  const trouble = entry === undefined ? undefined : troubleOf(entry);
  return (
    <Page
      title={t('Gaps')}
      testId="gap-page-unread"
      sub={
        <AnalysisTabs
          projectId={projectId}
          analysisId={analysisId}
          draftRef={props.draftRef}
          tab="gaps"
        />
      }
    >
      {query.isPending ? (
        <ListSkeleton rows={10} />
      ) : (
        <>
          <AnalysisSwitch
            projectId={projectId}
            entries={entries}
            current={analysisId}
            artifactId={props.artifactId}
          />
          <ErrorState
            error={query.error}
            onRetry={() => void query.refetch()}
            actions={
              entry !== undefined &&
              trouble !== undefined && (
                <TroubleWay projectId={projectId} entry={entry} way={trouble.way} />
              )
            }
          />
          {entry !== undefined && (
            <p className="sw-faint" style={{ textAlign: 'center' }} data-testid="unread-why">
              <ImportOf entry={entry} />
            </p>
          )}
        </>
      )}
    </Page>
  );
}
