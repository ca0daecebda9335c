import type { Replay } from '../../../server/contract/platform/run-reads.ts';

/** One saved state of a run. */
export interface SavedState {
  readonly sequence: number;
  readonly type: string;
  /** Step or node; empty for the run itself. */
  readonly node: string;
  /** Wire timestamp. */
  readonly at: string;
}

/** The run as it stood at a saved state. */
export interface ShownState extends SavedState {
  /** Nodes whose work had ended, in order. */
  readonly visited: readonly string[];
  /** Where the run was; null between two nodes. */
  readonly current: string | null;
  readonly failed: boolean;
}

/** The saved states of a platform's replay, in order. */
export function savedStates(replay: Replay): readonly SavedState[] {
  return replay.timeline.map(({ sequence, type, created_at, node_id, step_id }) => ({
    sequence,
    type,
    node: node_id ?? step_id ?? '',
    at: created_at,
  }));
}

const ENDED = /^(?:step|node)_completed$/;
const FAILED = /_failed$/;
const PAUSED = 'human_pause';

/** What had happened by a saved state; null when there is no such state. */
export function shownAt(states: readonly SavedState[], sequence: number): ShownState | null {
  const at = states.findIndex((state) => state.sequence === sequence);
  const state = states[at];
  if (state === undefined) {
    return null;
  }
  const past = states.slice(0, at + 1);
  const visited = past.filter(({ type }) => ENDED.test(type)).map(({ node }) => node);
  const failed = FAILED.test(state.type);
  const named = past.findLast(({ node }) => node !== '')?.node ?? null;
  const stands = failed || state.type === PAUSED;
  return { ...state, visited, failed, current: stands ? named : null };
}
