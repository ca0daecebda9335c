import { t } from '../../../preload/texts/t.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';

export interface AnalysisTabsProps {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  readonly tab: 'gaps' | 'ledger';
}

/** The two accounts of one import: what is left to do, and what became of everything. */
export function AnalysisTabs(props: AnalysisTabsProps) {
  const { projectId, analysisId, draftRef, tab } = props;
  const at = draftRef === undefined ? {} : { ref: draftRef };
  const tabs = [
    { id: 'gaps', label: t('Gaps'), to: paths.gaps(projectId, analysisId, at) },
    {
      id: 'ledger',
      label: t('What became of everything'),
      to: paths.ledger(projectId, analysisId, at),
    },
  ] as const;
  return (
    <nav className="sw-analysis-tabs" aria-label={t('Views of this import')}>
      {tabs.map(({ id, label, to }) =>
        id === tab ? (
          <span key={id} aria-current="page">
            {label}
          </span>
        ) : (
          <AppLink key={id} to={to} testId={`tab-${id}`}>
            {label}
          </AppLink>
        ),
      )}
      {draftRef !== undefined && (
        <AppLink to={paths.draft(projectId, draftRef)}>{fileName(draftRef)}</AppLink>
      )}
    </nav>
  );
}
