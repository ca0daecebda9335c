import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import { durationText } from '../../ui/relative-time.ts';
import { type SavedState, sinceStart } from './checkpoint-model.ts';

const ROW_HEIGHT = 28;

/** The saved states in order; only those in view are drawn. */
export function CheckpointList(props: {
  readonly states: readonly SavedState[];
  readonly shown: number | null;
  readonly onShow: (sequence: number | null) => void;
}) {
  const { states, shown, onShow } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: states.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const index = states.findIndex(({ sequence }) => sequence === shown);
  useEffect(() => {
    if (index >= 0) {
      virtual.scrollToIndex(index);
    }
  }, [index, virtual]);
  return (
    <div className="sw-checkpoints" ref={scroll}>
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const state = states[item.index];
          return state === undefined ? null : (
            <li key={state.sequence} style={{ transform: `translateY(${item.start}px)` }}>
              <button
                type="button"
                className="sw-bare"
                aria-pressed={shown === state.sequence}
                onClick={() => onShow(shown === state.sequence ? null : state.sequence)}
                data-testid={`checkpoint-${state.sequence}`}
              >
                <span className="sw-mono sw-faint">{state.sequence}</span>
                <span title={checkpointWords(state.type)}>{checkpointWords(state.type)}</span>
                <strong title={state.node}>{state.node}</strong>
                <SinceStart ms={sinceStart(states, state)} at={state.at} />
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function SinceStart(props: { readonly ms: number | null; readonly at: string }) {
  return (
    <time className="sw-faint" dateTime={props.at} title={props.at}>
      {props.ms === null ? '' : `+${durationText(props.ms)}`}
    </time>
  );
}
