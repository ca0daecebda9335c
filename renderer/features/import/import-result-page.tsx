import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './import.css';
import { Button } from '@mantine/core';
import { IconArrowRight, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type AnalysisView, getAnalysis } from '../../../server/contract/studio/analyses.ts';
import { experimentalSource, sourceName } from '../../../server/gaps/report/source-of-file.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAnalysisEntries } from '../../data/studio.ts';
import type { MeaningMergeProps } from '../../ui/meaning-merge-props.ts';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { CONVERSION_WORDS } from './import-choice.ts';
import { familyText } from './import-model.ts';
import { findSummary, type KeptSummary } from './import-summary-store.ts';
import { ReimportPanel } from './reimport-panel.tsx';
import { useBatch } from './use-batch.ts';
import { WaitingCallers } from './waiting-callers.tsx';

interface OutcomeProps {
  readonly projectId: string;
  readonly analysis: AnalysisView;
  readonly draftRef: string;
}

/** What an import made: summary, gaps by severity, the draft, and the two ways on. */
export function ImportResultPage(props: {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string;
  /** The draft that the source was imported for again. */
  readonly reimportOf: string | undefined;
  /** Merges an edited draft with a second import by what both say. */
  readonly meaning: ComponentType<MeaningMergeProps>;
  /** Draws the gaps, and source and draft beside each other. */
  readonly outcome: ComponentType<OutcomeProps>;
}) {
  const { projectId, analysisId, draftRef, outcome: Outcome } = props;
  const analysis = useQuery(
    routeQuery(getAnalysis, { params: { project_id: projectId, analysis_id: analysisId } }),
  );
  const kept = findSummary(analysisId);
  const experiment = experimentalSource(kept?.summary.source ?? '');
  const batch = useBatch(projectId);
  const gapsPath = paths.reviewGaps(projectId, { ref: draftRef });
  const entry = useAnalysisEntries(projectId, { ref: draftRef }).data?.find(
    ({ analysis_id }) => analysis_id === analysisId,
  );
  return (
    <Page
      title={
        kept === undefined
          ? t('Imported workflow')
          : t('Imported {fileName}', { fileName: kept.fileName })
      }
      sub={
        <>
          {rich('Draft {link}{value}{value2}{value3} · <link2>What became of everything</link2>', {
            link: <AppLink to={paths.draft(projectId, draftRef)}>{draftRef}</AppLink>,
            value: experiment !== undefined && (
              <>
                {' · '}
                <span data-testid="import-experimental">
                  {t('{experiment} is an experimental source', { experiment })}
                </span>
              </>
            ),
            value2: entry !== undefined && (
              <>
                {' · '}
                <span title={CONVERSION_WORDS[entry.conversion].about} data-testid="conversion">
                  {t('{label} conversion', { label: CONVERSION_WORDS[entry.conversion].label })}
                </span>
              </>
            ),
            value3: batch != null && (
              <>
                {' · '}
                <AppLink to={paths.importBatch(projectId)}>
                  {t('All {total} imported files', { total: batch.total })}
                </AppLink>
              </>
            ),
            link2: (text) => (
              <AppLink
                to={paths.ledger(projectId, analysisId, { ref: draftRef })}
                testId="open-ledger"
              >
                {text}
              </AppLink>
            ),
          })}
        </>
      }
      testId="import-result"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileText size={16} />}
            onClick={() => navigateTo(paths.draft(projectId, draftRef))}
            data-testid="open-editor"
          >
            {t('Open editor')}
          </Button>
          <Button
            rightSection={<IconArrowRight size={16} />}
            onClick={() => navigateTo(gapsPath)}
            data-testid="open-gaps"
          >
            {t('Review gaps')}
          </Button>
        </>
      }
    >
      <ReimportPanel
        key={`${analysisId} ${draftRef}`}
        projectId={projectId}
        analysisId={analysisId}
        draftRef={draftRef}
        reimportOf={props.reimportOf}
        meaning={props.meaning}
      />
      <WaitingCallers projectId={projectId} draftRef={draftRef} />
      {kept !== undefined && <Figures kept={kept} />}
      <Unread query={analysis} rows={4} compact />
      {analysis.isSuccess && (
        <Outcome projectId={projectId} analysis={analysis.data} draftRef={draftRef} />
      )}
    </Page>
  );
}

function Figures(props: { readonly kept: KeptSummary }) {
  const { summary } = props.kept;
  const figures: readonly (readonly [string, number | string])[] = [
    [t('Source nodes'), summary.node_count],
    [t('Connections'), summary.edge_count],
    [t('Tools'), summary.tool_count],
    [t('Credentials'), summary.credential_count],
    [t('Gaps'), summary.unsupported_count],
  ];
  return (
    <>
      <p className="sw-section-title">
        {t('{family}, from {source}', {
          family: familyText(summary),
          source: sourceName(summary.source),
        })}
      </p>
      <div className="sw-import-grid" data-testid="import-summary">
        {figures.map(([label, value]) => (
          <div className="sw-import-figure" key={label}>
            <strong>{value}</strong>
            <span className="sw-faint">{label}</span>
          </div>
        ))}
      </div>
    </>
  );
}
