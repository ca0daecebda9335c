import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { preferencesStore } from '../../data/preferences.ts';
import type { RunOrigins } from '../../data/use-run-origins.ts';
import { useStore } from '../../ui/store.ts';
import { TableSpacer } from '../../ui/table-spacer.tsx';
import { chosenColumns, useColumnChoice } from './column-choice.ts';
import { COLUMNS, leastWidth, type RunColumn } from './run-columns.tsx';
import type { RowsByPlace, RunFilter, RunSort } from './run-filter-model.ts';
import { type RowActions, RunTableRow } from './run-table-row.tsx';
import { useSkim } from './use-skim.ts';
import { useTableRoom } from './use-table-room.ts';

/** Two lines: the run, and what went in and came out; the second is left out of compact rows. */
const ROW_HEIGHTS = { comfortable: 52, compact: 34 } as const;
/** Rows that are drawn beyond the view, for a step of the wheel. */
const OVERSCAN = 8;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

export interface RunTableProps {
  /** Places of the list; those that are not read yet are drawn as placeholders. */
  readonly count: number;
  readonly rows: RowsByPlace;
  readonly origins: RunOrigins;
  readonly filter: RunFilter;
  readonly onSort: (column: RunSort) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (run: RunRow, on: boolean) => void;
  readonly onSelectAll: (on: boolean) => void;
  readonly onOpen: (run: RunRow) => void;
  readonly onRange: (first: number, last: number) => void;
}

/** The runs of a list of any length; only those in view exist. Arrows and j/k move, Enter opens, x and Space select. */
export function RunTable(props: RunTableProps) {
  const { rows, selected } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const choice = useColumnChoice();
  const room = useTableRoom();
  const columns = useMemo(() => chosenColumns(COLUMNS, choice, room), [choice, room]);
  const rowHeight = ROW_HEIGHTS[useStore(preferencesStore).density ?? 'comfortable'];
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures anew for another height
  useEffect(() => virtual.measure(), [rowHeight]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const span = columns.length + 1;
  const [active, setActive] = useState(0);
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  /** The one row that Tab comes to; the others are reached with the arrows. */
  const stop = Math.min(Math.max(active, first), last);
  const skims = useSkim(first, virtual.isScrolling);
  const focus = (place: number): void => {
    virtual.scrollToIndex(place);
    requestAnimationFrame(() =>
      scroll.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus(),
    );
  };
  useRange(first, last, skims, props.onRange);
  const onKey = (event: KeyboardEvent<HTMLElement>, place: number, run: RunRow): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.target !== event.currentTarget || !plain) {
      return;
    }
    const step = STEPS[event.key];
    if (event.key === 'Enter') {
      props.onOpen(run);
    } else if (event.key === 'x' || event.key === ' ') {
      event.preventDefault();
      props.onSelect(run, !selected.has(run.run_id));
    } else if (step !== undefined && rows.has(place + step)) {
      event.preventDefault();
      focus(place + step);
    }
  };
  const actions = useActions({
    onOpen: props.onOpen,
    onSelect: props.onSelect,
    onFocus: setActive,
    onKey,
  });
  return (
    <div className="sw-table-scroll" ref={scroll}>
      <table
        className="sw-table sw-run-table"
        style={{ minWidth: leastWidth(columns) }}
        aria-label={t('Runs')}
        aria-rowcount={props.count + 1}
      >
        <colgroup>
          <col />
          {columns.map(({ id, width }) => (
            <col key={id} style={width === undefined ? {} : { width }} />
          ))}
        </colgroup>
        <HeadRow {...props} columns={columns} />
        <tbody>
          <TableSpacer height={before} span={span} />
          {items.map(({ index }) => {
            const run = skims ? undefined : rows.get(index);
            return run === undefined ? (
              <tr key={index} style={{ height: rowHeight }} data-pending="true">
                <td colSpan={span} />
              </tr>
            ) : (
              <RunTableRow
                key={index}
                run={run}
                origin={props.origins.get(run.session_id ?? '')}
                columns={columns}
                place={index}
                height={rowHeight}
                isStop={index === stop}
                isSelected={selected.has(run.run_id)}
                actions={actions}
              />
            );
          })}
          <TableSpacer height={after} span={span} />
        </tbody>
      </table>
    </div>
  );
}

/** The newest of what rows call, behind one object that stays. */
function useActions(actions: RowActions): RowActions {
  const newest = useRef(actions);
  useEffect(() => {
    newest.current = actions;
  });
  return useMemo(
    () => ({
      onOpen: (...words) => newest.current.onOpen(...words),
      onSelect: (...words) => newest.current.onSelect(...words),
      onFocus: (...words) => newest.current.onFocus(...words),
      onKey: (...words) => newest.current.onKey(...words),
    }),
    [],
  );
}

/** Tells which places are drawn, when they change and somebody can read them. */
function useRange(
  first: number,
  last: number,
  skims: boolean,
  onRange: RunTableProps['onRange'],
): void {
  useEffect(() => {
    if (!skims) {
      onRange(first, last);
    }
  }, [first, last, skims, onRange]);
}

function HeadRow(props: RunTableProps & { readonly columns: readonly RunColumn[] }) {
  const { rows, selected } = props;
  const all = rows.size > 0 && [...rows.values()].every(({ run_id }) => selected.has(run_id));
  return (
    <thead>
      <tr>
        <th scope="col">
          <Checkbox
            size="xs"
            aria-label={t('Select the runs that are loaded')}
            checked={all}
            indeterminate={!all && selected.size > 0}
            onChange={(event) => props.onSelectAll(event.currentTarget.checked)}
          />
        </th>
        {props.columns.map((column) => (
          <HeadCell key={column.id} column={column} filter={props.filter} onSort={props.onSort} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell(props: {
  readonly column: RunColumn;
  readonly filter: RunFilter;
  readonly onSort: (column: RunSort) => void;
}) {
  const { column, filter } = props;
  const { sort } = column;
  const align = column.align ?? 'left';
  if (sort === undefined) {
    return (
      <th scope="col" data-align={align} title={column.title}>
        {column.header}
      </th>
    );
  }
  const active = (filter.sort ?? 'updated') === sort;
  const upward = filter.order === 'asc';
  const direction = upward ? 'ascending' : 'descending';
  const Arrow = upward ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" data-align={align} aria-sort={active ? direction : 'none'}>
      <button type="button" data-active={active} onClick={() => props.onSort(sort)}>
        {column.header}
        {active && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}
