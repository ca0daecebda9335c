import { toolSettings } from '../../contract/flow.ts';
import type { CallFunction, CallTool } from '../../engine/effect.ts';
import { flowCallOf } from '../../engine/flow-call.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import type { ClosableEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { HandlerPorts } from '../../handlers/ports.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { type CallHandler, EffectFailure } from '../run-effects.ts';
import type { CallMcpServer } from './call-step.ts';

/** The run that a step belongs to, and what is its own. */
export interface StepContext {
  readonly runId: string;
  readonly program: Program;
  readonly clock: Clock;
  /** The spec's `metadata`, which holds the settings of tools. */
  readonly metadata: JsonObject | null;
  /** Functions of the author. */
  readonly callHandler: CallHandler;
  /** Finds what a credential of the source is bound to. */
  readonly credential: HandlerPorts['credential'];
  readonly callMcp: CallMcpServer;
}

/** Built-in steps of item flows; one for a process, closed after the last run. */
export interface BuiltInSteps {
  /** Performs the effect of a flow's step in progress; the state is that in which it is asked for. */
  call(run: StepContext, effect: CallFunction, state: RunState, signal: AbortSignal): Promise<Json>;
  /** Performs the call of a tool that a built-in step carries out. */
  callTool(run: StepContext, effect: CallTool, signal: AbortSignal): Promise<Json>;
  close(): Promise<void>;
}

/** Loads handlers and interpreter when the first step asks for them: most runs have none. */
export function createBuiltInSteps(): BuiltInSteps {
  let evaluator: Promise<ClosableEvaluator> | undefined;
  const makeEvaluator = async (): Promise<ClosableEvaluator> => {
    const { createEvaluator } = await import('../../expressions/host/create-evaluator.ts');
    return createEvaluator();
  };
  const portsOf = async ({ runId, clock, callHandler, credential, callMcp }: StepContext) => {
    evaluator ??= makeEvaluator();
    return {
      ...{ runId, clock, callHandler, credential, callMcp },
      evaluator: await evaluator,
    };
  };
  return {
    async callTool(run, effect, signal) {
      const { callTool } = await import('./call-step.ts');
      const settings = toolSettings.safeParse(run.metadata?.['tools']).data?.[effect.tool];
      if (settings === undefined)
        throw new EffectFailure(
          `The tool '${effect.tool}' has no settings in metadata.tools, which its built-in step needs.`,
        );
      return callTool(await portsOf(run), settings, effect.arguments, signal);
    },
    async call(run, effect, state, signal) {
      const call = flowCallOf(run.program, state, effect);
      const { callStep, prepareCalls, readPrompt } = await import('./call-step.ts');
      const ports = await portsOf(run);
      if (effect.flow === 'prompt') return readPrompt(ports, call);
      const perform = effect.flow === 'call' ? prepareCalls : callStep;
      return perform(ports, call, effect.implementation, signal);
    },
    async close() {
      await (await evaluator)?.close();
    },
  };
}
