import type { CallFunction } from '../../engine/effect.ts';
import { flowCallOf } from '../../engine/flow-call.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import type { ClosableEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { HandlerPorts } from '../../handlers/ports.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { CallHandler } from '../run-effects.ts';

/** The run that a step belongs to, and what is its own. */
export interface StepRun {
  readonly runId: string;
  readonly program: Program;
  readonly clock: Clock;
  /** Functions of the author. */
  readonly callHandler: CallHandler;
  /** Finds what a credential of the source is bound to. */
  readonly credential: HandlerPorts['credential'];
}

/** Built-in steps of item flows; one for a process, closed after the last run. */
export interface BuiltInSteps {
  /** Performs the effect of a flow's step in progress; the state is that in which it is asked for. */
  call(run: StepRun, effect: CallFunction, state: RunState, signal: AbortSignal): Promise<Json>;
  close(): Promise<void>;
}

/** Loads handlers and interpreter when the first step asks for them: most runs have none. */
export function createBuiltInSteps(): BuiltInSteps {
  let evaluator: Promise<ClosableEvaluator> | undefined;
  const makeEvaluator = async (): Promise<ClosableEvaluator> => {
    const { createEvaluator } = await import('../../expressions/host/create-evaluator.ts');
    return createEvaluator();
  };
  return {
    async call({ runId, program, clock, callHandler, credential }, effect, state, signal) {
      const call = flowCallOf(program, state, effect);
      const { callStep, readPrompt } = await import('./call-step.ts');
      evaluator ??= makeEvaluator();
      const ports = {
        ...{ runId, clock, callHandler, credential, services: {} },
        evaluator: await evaluator,
      };
      return effect.flow === 'prompt'
        ? readPrompt(ports, call)
        : callStep(ports, call, effect.implementation, signal);
    },
    async close() {
      await (await evaluator)?.close();
    },
  };
}
