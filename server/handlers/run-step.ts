import { madeOfItself, passed } from '../items/given-step.ts';
import type { Outputs, Pairing } from '../items/item.ts';
import {
  answerOf,
  type Handler,
  type HandlerCall,
  type StepAnswer,
  StepFailure,
} from './handler.ts';

/** How a step is run, whatever it does. */
export interface StepConduct {
  /** Gives one empty item where its first output would have none. */
  readonly alwaysOutput: boolean;
  /** How often it is tried in all, and milliseconds between; null when once. */
  readonly retry: { readonly tries: number; readonly waitMs: number } | null;
}

export interface StepRun extends StepAnswer {
  /**
   * Why it failed, where its source goes on all the same. The flow has failed when nothing ran
   * behind it.
   */
  readonly failed?: string;
}

type Inputs = HandlerCall['inputs'];

async function tried(handler: Handler, call: HandlerCall): Promise<StepRun> {
  try {
    return answerOf(await handler(call));
  } catch (error) {
    if (!(error instanceof StepFailure) || call.node.onError === 'stop') throw error;
    return { outputs: passed(call.inputs), failed: error.message };
  }
}

function failedAtOnce({ failed, outputs }: StepRun): boolean {
  return failed !== undefined || outputs[0]?.[0]?.json['error'] !== undefined;
}

async function triedOften(
  handler: Handler,
  call: HandlerCall,
  retry: NonNullable<StepConduct['retry']>,
  pause: (ms: number) => Promise<void>,
): Promise<StepRun> {
  for (let left = retry.tries - 1; left > 0; left -= 1) {
    try {
      const run = await tried(handler, call);
      if (!failedAtOnce(run)) return run;
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
    }
    await pause(retry.waitMs);
  }
  return tried(handler, call);
}

function neverEmpty(outputs: Outputs, inputs: Inputs): Outputs {
  if ((outputs[0]?.length ?? 0) > 0) return outputs;
  const all = inputs.flatMap((items, input) =>
    (items ?? []).map((_, item): Pairing => ({ item, input })),
  );
  return [[{ json: {}, pairedItem: all }], ...outputs.slice(1)];
}

/**
 * Runs a step as its settings say: again when it fails, on with its input where its source goes on.
 *
 * @throws StepFailure when the flow ends here, or an ExpressionFailure when a limit is passed
 */
export async function runStep(
  handler: Handler,
  call: HandlerCall,
  conduct: StepConduct,
  pause: (ms: number) => Promise<void>,
): Promise<StepRun> {
  const taken = call.node.executeOnce
    ? call.inputs.map((items) => items?.slice(0, 1) ?? null)
    : call.inputs;
  const inputs = madeOfItself(taken);
  const cut = { ...call, inputs };
  const run =
    conduct.retry === null
      ? await tried(handler, cut)
      : await triedOften(handler, cut, conduct.retry, pause);
  return conduct.alwaysOutput ? { ...run, outputs: neverEmpty(run.outputs, inputs) } : run;
}
