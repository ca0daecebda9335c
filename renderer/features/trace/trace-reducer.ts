import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { countText } from '../../ui/count-text.ts';

/** The trace of one run as the window has it. */
export interface TraceState {
  readonly events: readonly TraceEvent[];
  readonly phase: 'opening' | 'live' | 'waiting' | 'ended' | 'failed';
  /** How many frames of the current connection were read. */
  readonly cursor: number;
  readonly error: unknown;
}

export type TraceAction =
  | { readonly type: 'opened' }
  | { readonly type: 'events'; readonly events: readonly TraceEvent[] }
  | { readonly type: 'ended' }
  | { readonly type: 'waiting'; readonly error: unknown }
  | { readonly type: 'failed'; readonly error: unknown };

export const EMPTY_TRACE: TraceState = {
  events: [],
  phase: 'opening',
  cursor: 0,
  error: undefined,
};

/**
 * A stream replays its run from the first event, in the same order: after a reconnection the events
 * that are known already are passed over by their place.
 */
export function traceReducer(state: TraceState, action: TraceAction): TraceState {
  switch (action.type) {
    case 'opened':
      return { ...state, phase: 'live', cursor: 0, error: undefined };
    case 'events': {
      const known = Math.max(0, state.events.length - state.cursor);
      const fresh = action.events.slice(known);
      const cursor = state.cursor + action.events.length;
      return fresh.length === 0
        ? { ...state, cursor }
        : { ...state, cursor, events: [...state.events, ...fresh] };
    }
    case 'ended':
      return { ...state, phase: 'ended', error: undefined };
    case 'waiting':
      return { ...state, phase: 'waiting', error: action.error };
    case 'failed':
      return { ...state, phase: 'failed', error: action.error };
  }
}

const PHASES: Readonly<Record<TraceState['phase'], string>> = {
  opening: 'Opening',
  live: 'Live',
  waiting: 'Reconnecting',
  ended: 'Ended',
  failed: 'Stopped',
};

/** A stream that ended says "Complete" only when everything that the run left has arrived. */
export function phaseText({ phase, events }: TraceState, total: number | null): string {
  if (phase !== 'ended' || total === null) {
    return PHASES[phase];
  }
  return events.length >= total
    ? 'Complete'
    : `Ended early: ${events.length} of ${countText(total, 'event')}`;
}
