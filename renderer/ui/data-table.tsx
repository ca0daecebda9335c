import { tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { t } from '../../preload/texts/t.ts';
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
  /** Rows that are shown in full below themselves; then `onOpen` folds and unfolds. */
  readonly openIds?: ReadonlySet<string>;
  readonly detailOf?: (row: Row) => ReactNode;
  /** Rows with the same words stand together under them; stable between renders. */
  readonly sectionOf?: (row: Row) => string;
  /** Called when the last rows come into view: the place to load the next page. */
  readonly onEndReached?: () => void;
}

/** Pixels. */
const ROW_HEIGHT = 36;
const SECTION_HEIGHT = 32;
/** Before it is measured. */
const DETAIL_HEIGHT = 220;
const features = tableFeatures({});

/** One line of the table: a row, what stands above some, or a row in full. */
type Line<Row> =
  | { readonly kind: 'row'; readonly row: Row; readonly id: string; readonly at: number }
  | { readonly kind: 'section'; readonly words: string; readonly id: string }
  | { readonly kind: 'detail'; readonly row: Row; readonly id: string };

const HEIGHTS = { row: ROW_HEIGHT, section: SECTION_HEIGHT, detail: DETAIL_HEIGHT } as const;

function linesOf<Row extends object>(
  rows: readonly { readonly id: string; readonly original: Row }[],
  sectionOf: ((row: Row) => string) | undefined,
  openIds: ReadonlySet<string> | undefined,
): readonly Line<Row>[] {
  const lines: Line<Row>[] = [];
  let section: string | undefined;
  for (const [at, { id, original: row }] of rows.entries()) {
    const words = sectionOf?.(row);
    if (words !== undefined && words !== section) {
      section = words;
      lines.push({ kind: 'section', words, id: `section ${id}` });
    }
    lines.push({ kind: 'row', row, id, at });
    if (openIds?.has(id) === true) {
      lines.push({ kind: 'detail', row, id: `detail ${id}` });
    }
  }
  return lines;
}

function moveFocus(event: KeyboardEvent<HTMLTableRowElement>, step: 1 | -1): void {
  const towards = step === 1 ? 'nextElementSibling' : 'previousElementSibling';
  let next = event.currentTarget[towards];
  while (next instanceof HTMLElement && next.tabIndex < 0) {
    next = next[towards];
  }
  if (next instanceof HTMLElement) {
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
  const { sectionOf, openIds, detailOf } = props;
  const lines = useMemo(() => linesOf(rows, sectionOf, openIds), [rows, sectionOf, openIds]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => HEIGHTS[lines[index]?.kind ?? 'row'],
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 12,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1);
      if (last !== undefined && last.index >= lines.length - 5) {
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
            const line = lines[item.index];
            if (line === undefined) {
              return null;
            }
            if (line.kind !== 'row') {
              return (
                <WideRow
                  key={line.id}
                  line={line}
                  index={item.index}
                  span={props.columns.length}
                  measure={virtual.measureElement}
                  detailOf={detailOf}
                />
              );
            }
            const { row, id } = line;
            return (
              <tr
                key={id}
                style={{ height: ROW_HEIGHT }}
                tabIndex={0}
                aria-rowindex={line.at + 1}
                data-testid={`row-${id}`}
                data-clickable={props.onOpen !== undefined}
                data-selected={props.selectedId === id}
                onClick={(event) => {
                  if (!isOnControl(event.target)) {
                    props.onOpen?.(row);
                  }
                }}
                onKeyDown={(event) => onKey(event, row)}
              >
                {props.columns.map((column, at) => (
                  <td key={column.id} data-align={column.align ?? 'left'} data-room={column.room}>
                    {at === 0 && detailOf !== undefined && (
                      <Fold isOpen={openIds?.has(id) === true} onFold={() => props.onOpen?.(row)} />
                    )}
                    {column.cell(row)}
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

/** Unfolds a row; by keyboard Enter on the row does the same. */
function Fold(props: { readonly isOpen: boolean; readonly onFold: () => void }) {
  return (
    <button
      type="button"
      className="sw-table-fold"
      tabIndex={-1}
      aria-label={t('Details')}
      aria-expanded={props.isOpen}
      onClick={props.onFold}
    />
  );
}

/** A line over all columns: words above rows, or a row in full. */
function WideRow<Row extends object>(props: {
  readonly line: Exclude<Line<Row>, { readonly kind: 'row' }>;
  readonly index: number;
  readonly span: number;
  readonly measure: (element: HTMLTableRowElement | null) => void;
  readonly detailOf: ((row: Row) => ReactNode) | undefined;
}) {
  const { line, index, span } = props;
  return line.kind === 'section' ? (
    <tr className="sw-table-section" style={{ height: SECTION_HEIGHT }}>
      <th scope="rowgroup" colSpan={span}>
        {line.words}
      </th>
    </tr>
  ) : (
    <tr className="sw-table-detail" ref={props.measure} data-index={index}>
      <td colSpan={span}>{props.detailOf?.(line.row)}</td>
    </tr>
  );
}
