import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { preferencesStore } from '../../data/preferences.ts';
import type { RunOrigins } from '../../data/use-run-origins.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { useStore } from '../../ui/store.ts';
import { TableSpacer } from '../../ui/table-spacer.tsx';
import { chosenColumns, useColumnChoice } from './column-choice.ts';
import { COLUMNS, leastWidth, type RunColumn } from './run-columns.tsx';
import type { RowsByPlace, RunFilter, RunSort } from './run-filter-model.ts';
import { useTableRoom } from './use-table-room.ts';

/** Two lines: the run, and what went in and came out; the second is left out of compact rows. */
const ROW_HEIGHTS = { comfortable: 52, compact: 34 } as const;
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
  const columns = chosenColumns(COLUMNS, useColumnChoice(), useTableRoom());
  const rowHeight = ROW_HEIGHTS[useStore(preferencesStore).density ?? 'comfortable'];
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
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
  const focus = (place: number): void => {
    virtual.scrollToIndex(place);
    requestAnimationFrame(() =>
      scroll.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus(),
    );
  };
  useRange(first, last, props.onRange);
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
  return (
    <div className="sw-table-scroll" ref={scroll}>
      <table
        className="sw-table sw-run-table"
        style={{ minWidth: leastWidth(columns) }}
        aria-label="Runs"
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
            const run = rows.get(index);
            return run === undefined ? (
              <tr key={index} style={{ height: rowHeight }} data-pending="true">
                <td colSpan={span} />
              </tr>
            ) : (
              <tr
                key={index}
                style={{ height: rowHeight }}
                tabIndex={index === stop ? 0 : -1}
                onFocus={() => setActive(index)}
                aria-rowindex={index + 2}
                data-clickable="true"
                data-selected={selected.has(run.run_id)}
                data-place={index}
                data-status={run.status}
                data-testid={`row-${run.run_id}`}
                onClick={() => props.onOpen(run)}
                onKeyDown={(event) => onKey(event, index, run)}
              >
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: keeps a press beside the box from opening the run; the box has its own keys */}
                <td onClick={(event) => event.stopPropagation()}>
                  <Checkbox
                    size="xs"
                    tabIndex={-1}
                    aria-label={`Select run ${shortRunId(run.run_id)}`}
                    checked={selected.has(run.run_id)}
                    onChange={(event) => props.onSelect(run, event.currentTarget.checked)}
                  />
                </td>
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align ?? 'left'}>
                    {column.cell(run, props.origins.get(run.session_id ?? ''))}
                  </td>
                ))}
              </tr>
            );
          })}
          <TableSpacer height={after} span={span} />
        </tbody>
      </table>
    </div>
  );
}

/** Tells which places are drawn, when they change. */
function useRange(first: number, last: number, onRange: RunTableProps['onRange']): void {
  useEffect(() => onRange(first, last), [first, last, onRange]);
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
            aria-label="Select the runs that are loaded"
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
