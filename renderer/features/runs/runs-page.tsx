import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import './runs.css';
import { Button, Switch } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { lastAuthorPath } from '../../app/recent.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { OlderRuns } from './older-runs.tsx';
import {
  isFiltered,
  type RunFilter,
  runsPath,
  sortedBy,
  unsupportedText,
} from './run-filter-model.ts';
import { RunFilters } from './run-filters.tsx';
import { RunTable } from './run-table.tsx';
import { useHeldRows } from './use-held-rows.ts';
import { isOnSamePages, useRunList } from './use-run-list.ts';

const NUMBERS = new Intl.NumberFormat(locale());

function show(filter: RunFilter): void {
  navigateTo(runsPath(filter), { replace: true });
}

/** The runs of the platform, newest change first; filter and order live in the address. */
export function RunsPage(props: { readonly filter: RunFilter }) {
  const { filter } = props;
  return (
    <Page title={t('Runs')} flush testId="runs-page">
      <div className="sw-runs">
        <RunFilters filter={filter} onChange={show} />
        <RunList key={runsPath({ ...filter, sort: undefined, order: undefined })} filter={filter} />
      </div>
    </Page>
  );
}

/** The selected runs, as they were last seen. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, RunRow>>(new Map());
  return {
    selected,
    select: (runs: Iterable<RunRow>, on: boolean): void =>
      setSelected((before) => {
        const next = new Map(before);
        for (const run of runs) {
          if (on) {
            next.set(run.run_id, run);
          } else {
            next.delete(run.run_id);
          }
        }
        return next;
      }),
    keep: (ids: readonly string[]): void =>
      setSelected((before) => new Map([...before].filter(([id]) => ids.includes(id)))),
  };
}

function RunList(props: { readonly filter: RunFilter }) {
  const { filter } = props;
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [live, setLive] = useState(true);
  const list = useRunList(filter, range, live);
  const { held, hold, letGo } = useHeldRows(list.rows, `${filter.sort} ${filter.order}`);
  const { selected, select, keep } = useSelection();
  const origins = useRunOrigins([...held.rows.values()].map(({ session_id }) => session_id));
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((before) => (isOnSamePages(before, { first, last }) ? before : { first, last })),
    [],
  );
  const unread = (
    <div className="sw-runs-state">
      <Unread query={list.first} rows={10} />
    </div>
  );
  if (list.first.data === undefined) {
    return unread;
  }
  if (list.total === 0) {
    return (
      <>
        {unread}
        <NoRuns filtered={isFiltered(filter)} />
      </>
    );
  }
  const current = new Map([...held.rows.values()].map((run) => [run.run_id, run]));
  const chosen = [...selected.values()].map((run) => current.get(run.run_id) ?? run);
  return (
    <>
      {unread}
      {list.failing !== undefined && <RestTrouble {...list.failing} />}
      <div className="sw-runs-line" role="status">
        <ListFacts list={list} filter={filter} />
        {held.waiting > 0 && (
          <Button size="compact-xs" variant="light" onClick={hold} data-testid="show-new-runs">
            {t('{count, plural, one {Show 1 new run} other {Show # new runs}}', {
              count: held.waiting,
            })}
          </Button>
        )}
        {chosen.length > 0 && <BulkActions runs={chosen} origins={origins} onKeep={keep} />}
        <span className="sw-runs-tools">
          <ExportMenu filter={filter} chosen={chosen} />
          <ColumnMenu />
          <Switch
            size="xs"
            label={t('Live')}
            checked={live}
            onChange={(event) => setLive(event.currentTarget.checked)}
          />
        </span>
      </div>
      <div className="sw-runs-table" onPointerEnter={hold} onPointerLeave={letGo}>
        <RunTable
          count={list.reachable}
          rows={held.rows}
          origins={origins}
          filter={filter}
          onSort={(column) => show(sortedBy(filter, column))}
          selected={new Set(selected.keys())}
          onSelect={(run, on) => select([run], on)}
          onSelectAll={(on) => select(on ? held.rows.values() : selected.values(), on)}
          onOpen={(run) => navigateTo(paths.run(run.run_id))}
          onRange={onRange}
        />
      </div>
    </>
  );
}

/** Says that runs further down could not be read, and reads them again there. */
function RestTrouble(props: NonNullable<ReturnType<typeof useRunList>['failing']>) {
  return (
    <div className="sw-runs-state" data-testid="runs-rest">
      <p className="sw-faint">
        {t(
          'What follows after run {NUMBERS} of this list could not be read; the runs before it are here.',
          { NUMBERS: NUMBERS.format(props.from) },
        )}
      </p>
      <Unread query={props.query} compact />
    </div>
  );
}

/** How many runs there are, how many can be reached, and what is not as it was asked for. */
function ListFacts(props: {
  readonly list: ReturnType<typeof useRunList>;
  readonly filter: RunFilter;
}) {
  const { list, filter } = props;
  const { total, more, reachable, scanned, unsupported } = list;
  return (
    <>
      <span className="sw-faint" data-testid="runs-count">
        {more
          ? t('{NUMBERS} runs or more', { NUMBERS: NUMBERS.format(total) })
          : t('{count, plural, one {# run} other {# runs}}', { count: total })}
        {scanned !== null && t(' among the newest {NUMBERS}', { NUMBERS: NUMBERS.format(scanned) })}
        {total > reachable &&
          t(', the newest {NUMBERS} are listed', { NUMBERS: NUMBERS.format(reachable) })}
      </span>
      {total > reachable && <OlderRuns filter={filter} reachable={reachable} onShow={show} />}
      {unsupported.length > 0 && (
        <Badge tone="warning">
          {t('This platform cannot filter by {unsupported}', {
            unsupported: unsupportedText(unsupported),
          })}
        </Badge>
      )}
    </>
  );
}

function NoRuns(props: { readonly filtered: boolean }) {
  return (
    <EmptyState
      icon={<IconListDetails size={32} stroke={1.25} />}
      title={props.filtered ? t('No run matches these filters') : t('No runs yet')}
      actions={
        props.filtered ? (
          <Button variant="default" size="xs" onClick={() => navigateTo(runsPath({}))}>
            {t('Clear filters')}
          </Button>
        ) : (
          <Button variant="default" size="xs" onClick={() => navigateTo(lastAuthorPath())}>
            {t('Go to Author')}
          </Button>
        )
      }
    >
      {props.filtered
        ? undefined
        : t(
            'Run a draft in the editor and it appears here; so does a run that another program starts on this platform.',
          )}
    </EmptyState>
  );
}
