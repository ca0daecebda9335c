import { tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { TableSpacer } from './table-spacer.tsx';

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** CSS width; the rest is shared by the columns without one. */
  readonly width?: string;
  readonly align?: 'left' | 'right';
  /** The room below which the column is left out; without one it is always there. */
  readonly room?: 'middle' | 'wide';
}

export interface DataTableProps<Row extends object> {
  /** Accessible name. */
  readonly label: string;
  /** Stable between renders (module scope or memo), as are `rows`. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly selectedId?: string | null;
  /** Called when the last rows come into view: the place to load the next page. */
  readonly onEndReached?: () => void;
}

/** Pixels. */
const ROW_HEIGHT = 36;
const features = tableFeatures({});

function moveFocus(event: KeyboardEvent<HTMLTableRowElement>, step: 1 | -1): void {
  const row = event.currentTarget;
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  if (next instanceof HTMLElement && next.dataset['spacer'] === undefined) {
    event.preventDefault();
    next.focus();
  }
}

/** True inside a link or a button of a cell, which has a meaning of its own. */
function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button') !== null;
}

/** A table whose rows are drawn only while visible. Arrow keys and j/k move, Enter opens. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const data = useMemo(() => [...props.rows], [props.rows]);
  const columns = useMemo(
    () =>
      props.columns.map((column) => ({
        id: column.id,
        header: column.header,
        accessorFn: (row: Row) => row,
      })),
    [props.columns],
  );
  const table = useTable({ features, columns, data, getRowId: props.rowId });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1);
      if (last !== undefined && last.index >= rows.length - 5) {
        props.onEndReached?.();
      }
    },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, row: Row): void => {
    if (event.target !== event.currentTarget) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      props.onOpen?.(row);
    } else if (event.key === 'ArrowDown' || event.key === 'j') {
      moveFocus(event, 1);
    } else if (event.key === 'ArrowUp' || event.key === 'k') {
      moveFocus(event, -1);
    }
  };
  return (
    <div className="sw-table-scroll" ref={scroll}>
      <table className="sw-table" aria-label={props.label} aria-rowcount={rows.length}>
        <colgroup>
          {props.columns.map((column) => (
            <col
              key={column.id}
              data-room={column.room}
              style={column.width === undefined ? {} : { width: column.width }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-align={column.align ?? 'left'}
                data-room={column.room}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <TableSpacer height={before} span={props.columns.length} />
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <tr
                key={row.id}
                style={{ height: ROW_HEIGHT }}
                tabIndex={0}
                aria-rowindex={item.index + 1}
                data-testid={`row-${row.id}`}
                data-clickable={props.onOpen !== undefined}
                data-selected={props.selectedId === row.id}
                onClick={(event) => {
                  if (!isOnControl(event.target)) {
                    props.onOpen?.(row.original);
                  }
                }}
                onKeyDown={(event) => onKey(event, row.original)}
              >
                {props.columns.map((column) => (
                  <td key={column.id} data-align={column.align ?? 'left'} data-room={column.room}>
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            );
          })}
          <TableSpacer height={after} span={props.columns.length} />
        </tbody>
      </table>
    </div>
  );
}
