import { t } from '../../../../preload/texts/t.ts';
import '../gaps.css';
import './ledger.css';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { getAnalysis, getAnalysisCanvas } from '../../../../server/contract/studio/analyses.ts';
import {
  type LedgerEntry,
  type LedgerView,
  LedgerWhat,
} from '../../../../server/contract/studio/ledger.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { useSingleKeys } from '../../../app/use-single-keys.ts';
import { draftTitle } from '../../../data/draft-names.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { saveTextFile } from '../../../desktop/bridge.ts';
import { csvText } from '../../../ui/csv-text.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { notifyError } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { SaveMenu } from '../../../ui/save-menu.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { AnalysisTabs } from '../analysis-tabs.tsx';
import { LedgerBar } from './ledger-bar.tsx';
import { ledgerColumns } from './ledger-columns.tsx';
import {
  elementChoices,
  LEDGER_COLUMNS,
  type LedgerFilter,
  type LedgerPlace,
  placeOfEntry,
  WHAT_TEXTS,
} from './ledger-model.ts';
import { readWholeLedger, useLedger } from './ledger-queries.ts';

const TYPING_MS = 200;
const NO_GAPS: LedgerPlace['gaps'] = [];
const NO_NODES: LedgerPlace['elements'] = [];

export interface LedgerPageProps {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  /** An element of the source that the list begins with. */
  readonly element: string | undefined;
}

/** What became of every part of an imported source. */
export function LedgerPage(props: LedgerPageProps) {
  const { projectId, analysisId } = props;
  const params = { project_id: projectId, analysis_id: analysisId };
  const [filter, setFilter] = useState<LedgerFilter>({
    fate: null,
    what: null,
    element: props.element ?? null,
    text: '',
  });
  const [text] = useDebouncedValue(filter.text, TYPING_MS);
  const asked = useMemo(() => ({ ...filter, text }), [filter, text]);
  const ledger = useLedger(projectId, analysisId, asked);
  const analysis = useQuery(routeQuery(getAnalysis, { params }));
  const draftRef = props.draftRef ?? analysis.data?.related_refs[0]?.path;
  const gaps = analysis.data?.gaps ?? NO_GAPS;
  const elements = useQuery(routeQuery(getAnalysisCanvas, { params })).data?.nodes ?? NO_NODES;
  const place = useMemo(
    () => ({ projectId, analysisId, draftRef, gaps, elements }),
    [projectId, analysisId, draftRef, gaps, elements],
  );
  const { first, query } = ledger;
  return (
    <Page
      title={t('What became of everything')}
      flush
      testId="ledger-page"
      sub={
        <AnalysisTabs
          projectId={projectId}
          analysisId={analysisId}
          draftRef={draftRef}
          tab="ledger"
        />
      }
      actions={
        first?.state === 'kept' && <ExportMenu {...props} draftRef={draftRef} filter={asked} />
      }
    >
      <Unread query={query} rows={12} />
      {first !== undefined && first.state !== 'kept' && <NoLedger state={first.state} />}
      {first?.state === 'kept' && (
        <Ledger
          place={place}
          first={first}
          entries={ledger.entries}
          filter={filter}
          onFilter={(part) => setFilter((now) => ({ ...now, ...part }))}
          onMore={() => {
            if (query.hasNextPage && !query.isFetching) {
              void query.fetchNextPage();
            }
          }}
        />
      )}
    </Page>
  );
}

const NO_LEDGER = {
  older: t(
    'It was made by an earlier version. Import the file again: a draft that you edited stays as it is.',
  ),
  strict: t('It was made when the strict conversion kept none. Import the file again.'),
  too_large: t(
    'The source is so large that its ledger was not kept. `specwright import --ledger` writes it to a file.',
  ),
} as const;

function NoLedger(props: { readonly state: keyof typeof NO_LEDGER }) {
  return <EmptyState title={t('This import has no ledger')}>{NO_LEDGER[props.state]}</EmptyState>;
}

function Ledger(props: {
  readonly place: LedgerPlace;
  readonly first: LedgerView;
  readonly entries: readonly LedgerEntry[];
  readonly filter: LedgerFilter;
  readonly onFilter: (part: Partial<LedgerFilter>) => void;
  readonly onMore: () => void;
}) {
  const { place, first, entries, filter, onFilter } = props;
  const narrow = useMediaQuery('(max-width: 1180px)') ?? false;
  const columns = useMemo(() => ledgerColumns(place, narrow), [place, narrow]);
  const search = useRef<HTMLInputElement>(null);
  useSingleKeys({ 'search.go': () => search.current?.focus() });
  return (
    <div className="sw-ledger">
      <LedgerBar view={first} chosen={filter.fate} onChoose={(fate) => onFilter({ fate })} />
      <LedgerTools
        place={place}
        total={first.total}
        filter={filter}
        onFilter={onFilter}
        search={search}
      />
      {entries.length === 0 ? (
        <EmptyState
          compact
          title={t('Nothing fits')}
          actions={
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onFilter({ fate: null, what: null, element: null, text: '' })}
            >
              {t('Show everything')}
            </Button>
          }
        >
          {t('Change the search or the filters above.')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('What became of everything')}
          columns={columns}
          rows={entries}
          rowId={(entry) => entry.locator}
          onEndReached={props.onMore}
          onOpen={(entry) => {
            const to = placeOfEntry(place, entry);
            if (to !== undefined) {
              navigateTo(to);
            }
          }}
        />
      )}
    </div>
  );
}

const WHATS = LedgerWhat.options.map((value) => ({ value, label: WHAT_TEXTS[value] }));

function LedgerTools(props: {
  readonly place: LedgerPlace;
  readonly total: number;
  readonly filter: LedgerFilter;
  readonly onFilter: (part: Partial<LedgerFilter>) => void;
  readonly search: RefObject<HTMLInputElement | null>;
}) {
  const { place, filter, onFilter } = props;
  const elements = useMemo(() => elementChoices(place.elements), [place.elements]);
  return (
    <div className="sw-ledger-tools">
      <span className="sw-faint" role="status" data-testid="ledger-total">
        {t('{count, plural, one {# part} other {# parts}}', { count: props.total })}
      </span>
      <Select
        size="xs"
        aria-label={t('Kind of part')}
        placeholder={t('Any kind')}
        data={WHATS}
        value={filter.what}
        clearable
        onChange={(value) =>
          onFilter({ what: WHATS.find((w) => w.value === value)?.value ?? null })
        }
      />
      <Select
        size="xs"
        aria-label={t('Element of the source')}
        placeholder={t('Any element')}
        data={[...elements]}
        value={filter.element}
        searchable
        clearable
        onChange={(element) => onFilter({ element })}
      />
      <TextInput
        ref={props.search}
        size="xs"
        aria-label={t('Find a part')}
        placeholder={t('Find a part  /')}
        leftSection={<IconSearch size={14} />}
        value={filter.text}
        onChange={(event) => onFilter({ text: event.currentTarget.value })}
      />
    </div>
  );
}

async function fileText(entries: readonly LedgerEntry[], format: 'csv' | 'json'): Promise<string> {
  return format === 'json'
    ? `${JSON.stringify({ entries }, null, 2)}\n`
    : await csvText(
        LEDGER_COLUMNS.map(([head]) => head),
        entries.map((entry) => LEDGER_COLUMNS.map(([, value]) => value(entry))),
      );
}

/** Saves what the filters leave. */
function ExportMenu(props: LedgerPageProps & { readonly filter: LedgerFilter }) {
  const save = (format: 'csv' | 'json'): void => {
    const name = props.draftRef === undefined ? 'import' : draftTitle(props.draftRef);
    readWholeLedger(props.projectId, props.analysisId, props.filter)
      .then((entries) => fileText(entries, format))
      .then((text) => saveTextFile(`${name}.ledger.${format}`, text))
      .catch((error) => notifyError(t('The ledger was not saved'), error));
  };
  return (
    <SaveMenu label={t('Save')} formats={['csv', 'json']} onSave={save} testId="ledger-export" />
  );
}
