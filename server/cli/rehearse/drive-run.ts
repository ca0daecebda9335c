import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import { step } from '../../engine/step.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EffectRunner } from '../../runtime/run-effects.ts';

interface Flying {
  readonly stop: AbortController;
  readonly answer: Promise<{ readonly id: string; readonly event: RunEvent }>;
}

export interface Drive {
  readonly program: Program;
  readonly created: StepOutcome;
  readonly effects: EffectRunner;
  readonly clock: Clock;
  /** Told of everything that the run comes to. */
  readonly onOutcome: (outcome: StepOutcome) => void;
}

/** Drives a run in memory, and stores nothing, until it ends or waits for a person. */
export async function driveRun(drive: Drive): Promise<RunState> {
  const { program, created, effects, clock, onOutcome } = drive;
  const flying = new Map<string, Flying>();
  let { state } = created;
  const drop = (id: string): void => {
    flying.get(id)?.stop.abort();
    flying.delete(id);
  };
  const advance = (event: RunEvent): void => {
    const outcome = step(program, state, event);
    state = outcome.state;
    onOutcome(outcome);
    for (const effect of outcome.effects) {
      if (effect.kind === 'ask_human' || effect.kind === 'finish') continue;
      const { id } = effect;
      const stop = new AbortController();
      const made = effects.answerNow(effect);
      const event = made ?? effects.perform(effect, stop.signal, state);
      const answer = Promise.resolve(event).then((given) => ({ id, event: given }));
      flying.set(id, { stop, answer });
    }
    for (const id of outcome.abandoned) drop(id);
  };
  advance({ type: 'start', at: clock.now() });
  while (flying.size > 0 && !isTerminalStatus(state.status)) {
    const { id, event } = await Promise.race([...flying.values()].map(({ answer }) => answer));
    flying.delete(id);
    advance(event);
  }
  for (const id of flying.keys()) drop(id);
  return state;
}
