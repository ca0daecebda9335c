import { t } from '../../../../preload/texts/t.ts';
import './review.css';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { fileName } from '../../../data/draft-names.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { gapsOf } from './analysis-list.tsx';
import { importerText, openText } from './analysis-words.tsx';
import { isReadable } from './review-model.ts';

function stateText(entry: AnalysisEntry): string {
  if (!isReadable(entry)) {
    return entry.state === 'quarantined' ? t('damaged') : t('details dropped');
  }
  return entry.superseded_by === null
    ? openText(entry)
    : t('{open}, replaced', { open: openText(entry) });
}

/** All analyses of the draft or artifact whose gaps are shown, when there are several. */
export function AnalysisSwitch(props: {
  readonly projectId: string;
  readonly entries: readonly AnalysisEntry[];
  readonly current: string;
  readonly artifactId: string | undefined;
}) {
  const { entries } = props;
  if (entries.length < 2) {
    return null;
  }
  const refs = new Set(entries.map(({ ref }) => ref));
  return (
    <nav
      className="sw-analyses"
      aria-label={t('Imports of this draft')}
      data-testid="analysis-switch"
    >
      {entries.map((entry) => {
        const inside = (
          <>
            <strong>
              {refs.size > 1 && `${fileName(entry.ref)}: `}
              {importerText(entry)} <code>{entry.source_sha256.slice(0, 8)}</code>
            </strong>
            <span>
              <TimeAgo at={entry.created_at} /> · {stateText(entry)}
            </span>
          </>
        );
        const id = entry.analysis_id;
        return id === props.current ? (
          <span key={id} className="sw-analysis" aria-current="page" data-testid="analysis-current">
            {inside}
          </span>
        ) : (
          <AppLink
            key={id}
            className="sw-analysis"
            to={gapsOf(props.projectId, entry, props.artifactId)}
            testId="analysis-other"
          >
            {inside}
          </AppLink>
        );
      })}
    </nav>
  );
}
