import { useEffect, useReducer, useRef } from 'react';
import { type TraceEvent, traceStream } from '../../../server/contract/dashboard/trace.ts';
import { openStream } from '../../data/event-stream.ts';
import { createFrameBatch } from '../../data/frame-batch.ts';
import { EMPTY_TRACE, type TraceState, traceReducer } from './trace-reducer.ts';
import { followTrace } from './trace-stream.ts';

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

/** The live trace of a run; `onChange` follows each batch of events and the end. */
export function useTrace(runId: string, onChange: () => void): TraceState {
  const [state, dispatch] = useReducer(traceReducer, EMPTY_TRACE);
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const batch = createFrameBatch<TraceEvent>((events) => {
      dispatch({ type: 'events', events });
      changed.current();
    });
    followTrace({
      open: (onOpen) => openStream(traceStream, { params: { run_id: runId } }, { signal, onOpen }),
      dispatch: (action) => {
        if (!signal.aborted) {
          dispatch(action);
          if (action.type === 'ended') {
            changed.current();
          }
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
      controller.abort(new DOMException('The view was left', 'AbortError'));
      batch.cancel();
    };
  }, [runId]);
  return state;
}
