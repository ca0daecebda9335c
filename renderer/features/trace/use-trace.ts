import { useEffect, useReducer, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { type TraceEvent, traceStream } from '../../../server/contract/dashboard/trace.ts';
import { openStream } from '../../data/event-stream.ts';
import { followedRuns } from '../../data/followed-runs.ts';
import { createFrameBatch, pacedFrames } from '../../data/frame-batch.ts';
import { EMPTY_TRACE, type TraceState, traceReducer } from './trace-reducer.ts';
import { followTrace } from './trace-stream.ts';

/** Events that come in one stream are drawn this often. */
const DRAWN_EVERY_MS = 120;

/** Tells the services which of many windows of one person asks. */
const WINDOW_ID = crypto.randomUUID();

function waiter(signal: AbortSignal): (ms: number) => Promise<void> {
  return (ms) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
}

/** Counts how often a run that was over goes on again. */
function useReturns(isOver: boolean): number {
  const [seen, setSeen] = useState({ isOver, returns: 0 });
  if (seen.isOver !== isOver) {
    setSeen({ isOver, returns: seen.returns + (isOver ? 0 : 1) });
  }
  return seen.returns;
}

/**
 * The live trace of a run, followed again when a run that was over goes on; `onChange` follows each
 * batch of events, each other status and the end, but not what a run that is over has left.
 */
export function useTrace(runId: string, isOver: boolean, onChange: () => void): TraceState {
  const [state, dispatch] = useReducer(traceReducer, EMPTY_TRACE);
  const changed = useRef<() => void>(undefined);
  const known = useRef(0);
  const returns = useReturns(isOver);
  useEffect(() => {
    changed.current = isOver ? undefined : onChange;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that goes on is followed again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const batch = createFrameBatch<TraceEvent>((events) => {
      known.current += events.length;
      dispatch({ type: 'events', events });
      changed.current?.();
    }, pacedFrames(DRAWN_EVERY_MS));
    followTrace({
      known: known.current,
      open: (after, onOpen) => {
        const query = { after, window_id: WINDOW_ID };
        return openStream(traceStream, { params: { run_id: runId }, query }, { signal, onOpen });
      },
      dispatch: (action) => {
        if (signal.aborted) {
          return;
        }
        dispatch(action);
        if (action.type === 'told') {
          followedRuns.add(runId);
        } else if (action.type !== 'opened' && action.type !== 'events') {
          followedRuns.delete(runId);
        }
        // What was not asked for while the stream told it is asked for again.
        if (action.type !== 'opened') {
          changed.current?.();
        }
      },
      add: (event) => batch.add(event),
      flush: () => batch.flush(),
      wait: waiter(signal),
    }).catch((error: unknown) => {
      if (!signal.aborted) {
        dispatch({ type: 'failed', error });
      }
    });
    return () => {
      controller.abort(new DOMException(t('The view was left'), 'AbortError'));
      followedRuns.delete(runId);
      batch.cancel();
    };
  }, [runId, returns]);
  return state;
}
