import { createRun } from '../create-run.ts';
import type { RunEvent } from '../event.ts';
import type { Program } from '../program.ts';
import type { RunSetup, RunState } from '../state.ts';
import { step } from '../step.ts';

/** How a run began: with this and its events its state can be made again. */
export interface RunOrigin {
  readonly setup: RunSetup;
  readonly status: 'queued' | 'running';
  readonly created_at: number;
}

/** The state of a run after its events: a run is a function of its program and its events. */
export function replayRun(
  program: Program | null,
  origin: RunOrigin,
  events: readonly RunEvent[],
): RunState {
  const created = createRun(origin.setup, origin.status, origin.created_at).state;
  return events.reduce((state, event) => step(program, state, event).state, created);
}
