import type { JsonObject, Outputs } from '../../items/item.ts';
import { type Handler, type HandlerCall, type StepAnswer, StepFailure } from '../handler.ts';
import type { DifyFacts } from './dify-facts.ts';
import { type Pool, poolOf } from './pool.ts';

/** One time that a step of Dify runs. */
export interface DifyCall extends HandlerCall {
  readonly dify: DifyFacts;
  readonly data: JsonObject;
  /** What expressions of the step read. */
  readonly pool: Pool;
}

export type DifyHandler = (call: DifyCall) => Promise<StepAnswer> | StepAnswer;

/** The one item that a step of Dify gives, on one of its outputs. */
export function gives(json: JsonObject, output = 0): StepAnswer {
  const outputs: Outputs = Array.from({ length: output + 1 }, (_, at) =>
    at === output ? [{ json, pairedItem: { item: 0 } }] : [],
  );
  return { outputs };
}

/** A handler of Dify as the steps of every source are run. */
export function asHandler(handle: DifyHandler): Handler {
  return async (call) => {
    const { dify } = call;
    if (dify === undefined)
      throw new StepFailure(
        `'${call.node.name}' is a step of Dify: it runs where metadata.flow.source is dify.`,
      );
    const pool = await poolOf(call, dify);
    return handle({ ...call, dify, pool, data: call.node.parameters });
  };
}
