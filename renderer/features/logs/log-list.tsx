import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { LogLine } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import { clockText } from '../../ui/clock-text.ts';
import { LEVELS, SOURCES } from './log-model.ts';

const ROW_HEIGHT = 26;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function labelOf(of: readonly { readonly value: string; readonly label: string }[], value: string) {
  return of.find((one) => one.value === value)?.label ?? value;
}

/** The lines of the log; only those in view are drawn. Arrow keys move, Escape closes the details. */
export function LogList(props: {
  readonly lines: readonly LogLine[];
  readonly follow: boolean;
  readonly onLeave: () => void;
  readonly chosen: number | null;
  readonly onChoose: (at: number | null) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { lines, follow, chosen, onChoose, onLeave } = props;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => lines[index]?.at ?? index,
    overscan: 12,
  });
  const [first, last] = [lines[0]?.at, lines.at(-1)?.at];
  const firstBefore = useRef(first);
  // Lines that come in before stay above: what is read does not move.
  useLayoutEffect(() => {
    const before = firstBefore.current;
    firstBefore.current = first;
    if (before !== undefined && first !== undefined && first < before && scroll.current !== null) {
      const added = lines.findIndex(({ at }) => at === before);
      scroll.current.scrollTop += Math.max(0, added) * ROW_HEIGHT;
    }
  }, [first, lines]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line is what moves the list
  useEffect(() => {
    if (follow && lines.length > 0) {
      virtual.scrollToIndex(lines.length - 1, { align: 'end' });
    }
  }, [follow, last, virtual]);
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === 'Escape' && chosen !== null) {
      onChoose(null);
    } else if (step !== undefined) {
      const focused = event.target instanceof HTMLElement ? event.target.dataset['at'] : undefined;
      const from = lines.findIndex(({ at }) => at === (chosen ?? Number(focused)));
      const next = lines[from + step];
      if (from >= 0 && next !== undefined) {
        event.preventDefault();
        onLeave();
        onChoose(next.at);
        virtual.scrollToIndex(from + step);
        requestAnimationFrame(() =>
          scroll.current?.querySelector<HTMLElement>(`[data-at="${next.at}"]`)?.focus(),
        );
      }
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the lines inside are buttons; keys bubble up from them
    <div
      className="sw-log-scroll"
      ref={scroll}
      onKeyDown={onKey}
      onWheel={({ deltaY }) => {
        if (deltaY < 0) {
          onLeave();
        }
      }}
    >
      <ol className="sw-log-lines" style={{ height: virtual.getTotalSize() }} aria-label={t('Log')}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          return line === undefined ? null : (
            <li key={line.at} style={{ transform: `translateY(${item.start}px)` }}>
              <button
                type="button"
                className="sw-log-line"
                data-at={line.at}
                data-level={line.level}
                aria-pressed={chosen === line.at}
                onClick={() => {
                  onLeave();
                  onChoose(chosen === line.at ? null : line.at);
                }}
              >
                <span className="sw-log-time" title={line.time ?? undefined}>
                  {line.time === null ? '' : clockText(line.time)}
                </span>
                <span className="sw-log-level">{labelOf(LEVELS, line.level)}</span>
                <span className="sw-faint">{labelOf(SOURCES, line.source)}</span>
                <span className="sw-log-text">
                  {line.text} <span className="sw-faint">{line.fields}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
