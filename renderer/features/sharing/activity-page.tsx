import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import './sharing.css';
import { Button, NativeSelect } from '@mantine/core';
import { IconHistory, IconLock } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ActivityEntry } from '../../../server/contract/studio/activity.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useProject } from '../../data/studio.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { PathEnd } from '../../ui/path-end.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import {
  type ActivityFilter,
  activityText,
  isFiltered,
  NO_FILTER,
  TIMES,
} from './activity-model.ts';
import { readWholeActivity, useActivity, useActivityChoices } from './activity-queries.ts';
import { actionText, factName, factText, isPathFact, mainFact } from './activity-words.ts';

const SUB = t('Who did what in this project, newest first');
const OUTCOMES = [
  { value: '', label: t('any outcome') },
  { value: 'allowed', label: t('allowed') },
  { value: 'denied', label: t('denied') },
  { value: 'held', label: t('held') },
];

type Names = (id: string) => string;

/** What happened in a project, for its owners. */
export function ActivityPage(props: { readonly projectId: string }) {
  const role = useProject(props.projectId)?.role;
  if (role === 'owner') {
    return <Activity projectId={props.projectId} />;
  }
  return (
    <Page title={t('Activity')} sub={SUB} testId="activity-page">
      {role === undefined ? (
        <ListSkeleton />
      ) : (
        <EmptyState
          icon={<IconLock size={32} stroke={1.25} />}
          title={t('Owners see the activity')}
          testId="activity-shut"
        >
          {t('You are {role} of this project. Ask an owner for what you need to know.', { role })}
        </EmptyState>
      )}
    </Page>
  );
}

function Activity(props: { readonly projectId: string }) {
  const { projectId } = props;
  const [filter, setFilter] = useState(NO_FILTER);
  const [chosen, setChosen] = useState<ActivityEntry>();
  const choices = useActivityChoices(projectId);
  const { query, entries } = useActivity(projectId, filter);
  const nameOf = useMemo(() => {
    const names = new Map(
      choices.data?.people.map(({ principal_id, display_name }) => [principal_id, display_name]),
    );
    return (id: string): string => names.get(id) ?? id;
  }, [choices.data]);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  const save = async (format: 'csv' | 'jsonl'): Promise<void> => {
    const rows = await readWholeActivity(projectId, filter);
    const text = await activityText(rows, nameOf, format);
    const { saved } = await saveTextFile(`activity.${format}`, text);
    if (saved) {
      notifyDone(t('{count, plural, one {# row} other {# rows}} exported', { count: rows.length }));
    }
  };
  return (
    <Page
      title={t('Activity')}
      sub={SUB}
      flush
      testId="activity-page"
      actions={
        <SaveMenu
          label={t('Export')}
          formats={['csv', 'jsonl']}
          about={t('All rows of this filter')}
          onSave={(format) => {
            save(format).catch((error: unknown) =>
              notifyError(t('The activity was not exported'), error),
            );
          }}
          testId="export-activity"
        />
      }
    >
      <div className="sw-share">
        <Filters
          filter={filter}
          onChange={setFilter}
          people={choices.data?.people ?? []}
          actions={choices.data?.actions ?? []}
        />
        <Unread query={query} rows={10} />
        {query.isSuccess && entries.length === 0 && <NoRows filtered={isFiltered(filter)} />}
        {entries.length > 0 && (
          <DataTable
            label={t('Activity')}
            columns={columns}
            rows={entries}
            rowId={rowId}
            onOpen={setChosen}
            selectedId={chosen === undefined ? null : rowId(chosen)}
            onEndReached={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) {
                void query.fetchNextPage();
              }
            }}
          />
        )}
        {chosen !== undefined && (
          <Detail entry={chosen} nameOf={nameOf} onClose={() => setChosen(undefined)} />
        )}
      </div>
    </Page>
  );
}

const rowId = (entry: ActivityEntry): string => String(entry.id);

function columnsOf(nameOf: Names): readonly DataColumn<ActivityEntry>[] {
  return [
    { id: 'at', header: t('When'), width: '104px', cell: ({ at }) => <TimeAgo at={at} narrow /> },
    {
      id: 'who',
      header: t('Who'),
      width: '110px',
      cell: ({ principal_id }) => nameOf(principal_id),
    },
    {
      id: 'what',
      header: t('What'),
      width: '190px',
      cell: ({ action }) => <span title={actionText(action)}>{actionText(action)}</span>,
    },
    {
      id: 'about',
      header: t('About'),
      room: 'middle',
      cell: ({ detail }) => <PathEnd path={mainFact(detail, nameOf)} />,
    },
    {
      id: 'outcome',
      header: t('Outcome'),
      width: '128px',
      cell: ({ outcome }) => <StatusBadge status={outcome} />,
    },
  ];
}

function NoRows(props: { readonly filtered: boolean }) {
  return (
    <EmptyState
      icon={<IconHistory size={32} stroke={1.25} />}
      title={props.filtered ? t('Nothing matches') : t('Nothing has happened yet')}
    >
      {props.filtered
        ? t('Choose another person, action, time or outcome.')
        : t('Saves, runs, exports, invitations and what was refused are listed here.')}
    </EmptyState>
  );
}

function Filters(props: {
  readonly filter: ActivityFilter;
  readonly onChange: (filter: ActivityFilter) => void;
  readonly people: readonly { readonly principal_id: string; readonly display_name: string }[];
  readonly actions: readonly string[];
}) {
  const { filter, onChange, people, actions } = props;
  const options = [
    {
      label: t('Who'),
      name: 'actor',
      data: [
        { value: '', label: t('everybody') },
        ...people.map((one) => ({ value: one.principal_id, label: one.display_name })),
      ],
    },
    {
      label: t('What'),
      name: 'action',
      data: [
        { value: '', label: t('everything') },
        ...actions
          .map((action) => ({ value: action, label: actionText(action) }))
          .sort((a, b) => a.label.localeCompare(b.label)),
      ],
    },
    { label: t('When'), name: 'hours', data: TIMES },
    { label: t('Outcome'), name: 'outcome', data: OUTCOMES },
  ] as const;
  return (
    <search className="sw-share-filters" aria-label={t('Filter the activity')}>
      {options.map(({ label, name, data }) => (
        <NativeSelect
          key={name}
          size="xs"
          aria-label={label}
          data={[...data]}
          value={filter[name]}
          onChange={(event) => onChange({ ...filter, [name]: event.currentTarget.value })}
          data-testid={`activity-${name}`}
        />
      ))}
      {isFiltered(filter) && (
        <Button size="compact-xs" variant="subtle" onClick={() => onChange(NO_FILTER)}>
          {t('Clear')}
        </Button>
      )}
    </search>
  );
}

function Detail(props: {
  readonly entry: ActivityEntry;
  readonly nameOf: Names;
  readonly onClose: () => void;
}) {
  const { entry, nameOf } = props;
  const facts = Object.entries(entry.detail);
  return (
    <section className="sw-share-detail" aria-label={t('Details')} data-testid="activity-detail">
      <h2 className="sw-section-title">{actionText(entry.action)}</h2>
      <dl className="sw-share-facts">
        <dt>{t('When')}</dt>
        <dd>{new Date(entry.at).toLocaleString(locale())}</dd>
        <dt>{t('Who')}</dt>
        <dd>{nameOf(entry.principal_id)}</dd>
        <dt>{t('Recorded as')}</dt>
        <dd>
          <CopyCode value={entry.action} />
        </dd>
        {entry.run_id !== null && (
          <>
            <dt>{t('Run')}</dt>
            <dd>
              <AppLink to={paths.run(entry.run_id)}>{entry.run_id}</AppLink>
            </dd>
          </>
        )}
        {facts.map(([field, value]) => (
          <Fact
            key={field}
            name={factName(field)}
            text={factText(field, value, nameOf)}
            copied={isPathFact(field)}
          />
        ))}
      </dl>
      <Button size="compact-xs" variant="default" mt="sm" onClick={props.onClose}>
        {t('Close')}
      </Button>
    </section>
  );
}

function Fact(props: { readonly name: string; readonly text: string; readonly copied: boolean }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.copied ? <CopyCode value={props.text} /> : props.text}</dd>
    </>
  );
}
