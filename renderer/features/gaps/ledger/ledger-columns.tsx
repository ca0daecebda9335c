import { t } from '../../../../preload/texts/t.ts';
import type { LedgerEntry } from '../../../../server/contract/studio/ledger.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import type { DataColumn } from '../../../ui/data-table.tsx';
import { Badge, type Tone } from '../../../ui/status-badge.tsx';
import { FATE_TEXTS, fateDetail, type LedgerPlace, refOf, WHAT_TEXTS } from './ledger-model.ts';

const TONES: Readonly<Record<LedgerEntry['fate'], Tone>> = {
  carried: 'success',
  told: 'warning',
  no_meaning: 'neutral',
  lost: 'danger',
};

const SHOWN_GAPS = 2;

function Source(props: { readonly place: LedgerPlace; readonly entry: LedgerEntry }) {
  const { place, entry } = props;
  const { projectId, analysisId, elements } = place;
  const element = elements.find(({ source_id }) => source_id === entry.element)?.label;
  return (
    <span title={entry.locator}>
      {entry.element === null ? (
        entry.label
      ) : (
        <AppLink to={paths.gaps(projectId, analysisId, { ...refOf(place), source: entry.element })}>
          {element ?? entry.label}
        </AppLink>
      )}{' '}
      {element !== undefined && element !== entry.label && `${entry.label} `}
      <span className="sw-mono sw-faint">{entry.locator}</span>
    </span>
  );
}

function Outcome(props: { readonly place: LedgerPlace; readonly entry: LedgerEntry }) {
  const { place, entry } = props;
  const { projectId, analysisId, draftRef, gaps } = place;
  const told = entry.gaps.slice(0, SHOWN_GAPS);
  return (
    <span className="sw-ledger-outcome">
      {entry.draft !== null && draftRef !== undefined && (
        <AppLink to={paths.draft(projectId, draftRef, { path: entry.draft })} testId="ledger-draft">
          <code>{entry.draft}</code>
        </AppLink>
      )}
      {told.map((gap) => (
        <AppLink
          key={gap}
          to={paths.gaps(projectId, analysisId, { ...refOf(place), gap })}
          testId="ledger-gap"
        >
          {gaps.find(({ ref }) => ref.gap_id === gap)?.title ?? gap}
        </AppLink>
      ))}
      {entry.gaps.length > SHOWN_GAPS && (
        <span className="sw-faint">
          {t('and {count} more', { count: entry.gaps.length - SHOWN_GAPS })}
        </span>
      )}
      <span className="sw-faint">{fateDetail(entry)}</span>
    </span>
  );
}

/** The columns of the ledger. */
export function ledgerColumns(
  place: LedgerPlace,
  narrow: boolean,
): readonly DataColumn<LedgerEntry>[] {
  const columns: readonly DataColumn<LedgerEntry>[] = [
    {
      id: 'what',
      header: t('Part'),
      width: '104px',
      cell: ({ what }) => WHAT_TEXTS[what],
    },
    {
      id: 'source',
      header: t('In the source'),
      cell: (entry) => <Source place={place} entry={entry} />,
    },
    {
      id: 'fate',
      header: t('Fate'),
      width: '200px',
      cell: ({ fate }) => <Badge tone={TONES[fate]}>{FATE_TEXTS[fate].label}</Badge>,
    },
    {
      id: 'outcome',
      header: t('Where it went'),
      width: narrow ? '40%' : '42%',
      cell: (entry) => <Outcome place={place} entry={entry} />,
    },
    {
      id: 'leaves',
      header: t('Values'),
      width: '68px',
      align: 'right',
      cell: ({ leaves }) => leaves,
    },
  ];
  return columns.filter(({ id }) => !narrow || (id !== 'leaves' && id !== 'what'));
}
