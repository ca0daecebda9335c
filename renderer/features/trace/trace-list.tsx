import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Decided } from '../../data/use-decisions.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { TraceAxis } from './trace-axis.ts';
import type { TraceRow } from './trace-model.ts';
import { TraceAxisHead, TraceLine } from './trace-row.tsx';
import { decisionOf } from './trace-steps.ts';

const ROW_HEIGHT = 28;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** The lines of a waterfall; only those in view are drawn. Arrow keys and j/k move, Escape closes. */
export function TraceList(props: {
  readonly rows: readonly TraceRow[];
  readonly axis: TraceAxis;
  readonly decisions: readonly Decided[];
  /** What answered in place of steps, by their key. */
  readonly answeredBy: Readonly<Record<string, string>>;
  /** Epoch milliseconds of the state that the page shows; null = now. */
  readonly until: number | null;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly follow: boolean;
  /** The reader looks at something earlier: stop following. */
  readonly onLeave: () => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { rows, follow, until, chosen, onChoose } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const last = rows.length - 1;
  const isFollowing = useRef(false);
  useEffect(() => {
    // The last lines come together with the end, after which nothing is followed.
    if ((follow || isFollowing.current) && last >= 0) {
      virtual.scrollToIndex(last);
    }
    isFollowing.current = follow;
  }, [follow, last, virtual]);
  const at = chosen === null ? -1 : rows.findIndex(({ id }) => id === chosen);
  const found = at >= 0;
  // A line that an address names is brought into sight once, when it has come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later moves are the reader's own
  useEffect(() => {
    if (found) {
      virtual.scrollToIndex(at, { align: 'auto' });
    }
  }, [chosen, found]);
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === 'Escape' && chosen !== null) {
      onChoose(null);
    } else if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const focused = event.target instanceof HTMLElement ? event.target.dataset['row'] : undefined;
      const at = rows.findIndex(({ id }) => id === (chosen ?? focused));
      const next = rows[at + step];
      if (next !== undefined) {
        event.preventDefault();
        onChoose(next.id);
        virtual.scrollToIndex(at + step);
        requestAnimationFrame(() => focusRow(scroll.current, next.id));
      }
    }
  };
  if (rows.length === 0) {
    return <EmptyState compact title={t('Nothing matches these filters')} />;
  }
  return (
    <div className="sw-trace-box">
      <TraceAxisHead axis={props.axis} until={until} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the lines inside are buttons; keys bubble up from them */}
      <div
        className="sw-trace-scroll"
        ref={scroll}
        onKeyDown={onKey}
        onWheel={({ deltaY }) => {
          if (deltaY < 0) {
            isFollowing.current = false;
            props.onLeave();
          }
        }}
      >
        <ol
          className="sw-trace-list"
          style={{ height: virtual.getTotalSize() }}
          aria-label={t('Trace')}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <li key={row.id} style={{ transform: `translateY(${item.start}px)` }}>
                <TraceLine
                  row={row}
                  axis={props.axis}
                  decided={decisionOf(row, props.decisions)}
                  answeredBy={props.answeredBy[row.node]}
                  selected={chosen === row.id}
                  until={until}
                  onSelect={() => onChoose(chosen === row.id ? null : row.id)}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

function focusRow(host: HTMLElement | null, id: string): void {
  const rows = [...(host?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  rows.find((row) => row.dataset['row'] === id)?.focus();
}
