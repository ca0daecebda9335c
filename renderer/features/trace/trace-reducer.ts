import { t } from '../../../preload/texts/t.ts';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';

/** The trace of one run as the window has it. */
export interface TraceState {
  readonly events: readonly TraceEvent[];
  readonly phase: 'opening' | 'live' | 'waiting' | 'ended' | 'failed';
  /** The service tells whenever something of the run is stored: nobody needs to ask. */
  readonly isTold: boolean;
  /** The stream ended at the last event that can be reached, not at that of the run. */
  readonly isCut: boolean;
  readonly error: unknown;
  /** Since when nothing comes, and when it is tried again, in epoch ms; undefined while all is well. */
  readonly broken?: { readonly since: number; readonly nextAt: number } | undefined;
}

export type TraceAction =
  | { readonly type: 'opened' }
  | { readonly type: 'events'; readonly events: readonly TraceEvent[] }
  | { readonly type: 'told' }
  | { readonly type: 'ended'; readonly isCut: boolean }
  | {
      readonly type: 'waiting';
      readonly error: unknown;
      readonly at: number;
      readonly nextAt: number;
    }
  | { readonly type: 'failed'; readonly error: unknown };

export const EMPTY_TRACE: TraceState = {
  events: [],
  phase: 'opening',
  isTold: false,
  isCut: false,
  error: undefined,
};

/** What a stream tells, in order. */
export function traceReducer(state: TraceState, action: TraceAction): TraceState {
  switch (action.type) {
    case 'opened':
      return { ...state, phase: 'live', isCut: false };
    case 'events':
      return { ...state, events: [...state.events, ...action.events], broken: undefined };
    case 'told':
      return state.isTold && state.broken === undefined
        ? state
        : { ...state, isTold: true, broken: undefined };
    case 'ended':
      return {
        ...state,
        ...{ phase: 'ended', isTold: false, isCut: action.isCut, error: undefined },
        broken: undefined,
      };
    case 'waiting': {
      const { at, nextAt, error } = action;
      const broken = { since: state.broken?.since ?? at, nextAt };
      return { ...state, phase: 'waiting', isTold: false, error, broken };
    }
    case 'failed':
      return { ...state, phase: 'failed', isTold: false, error: action.error, broken: undefined };
  }
}

const PHASES: Readonly<Record<TraceState['phase'], string>> = {
  opening: t('Opening'),
  live: t('Live'),
  waiting: t('Reconnecting'),
  ended: t('Ended'),
  failed: t('Stopped'),
};

/** A stream that ended says "Complete" only when everything that the run left has arrived. */
export function phaseText(state: TraceState, total: number | null): string {
  const { phase, events, isCut } = state;
  if (phase !== 'ended' || (total === null && !isCut)) {
    return PHASES[phase];
  }
  if (total === null) {
    return t('The first {count, plural, one {# event} other {# events}}', { count: events.length });
  }
  return events.length >= total
    ? t('Complete')
    : t('Ended early: {count} of {count2, plural, one {# event} other {# events}}', {
        count: events.length,
        count2: total,
      });
}
