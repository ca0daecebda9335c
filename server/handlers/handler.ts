import type { Evaluator, Services, StepContext } from '../expressions/port/evaluator.ts';
import type { CallConduct } from '../items/called-items.ts';
import type { Item, JsonObject, Outputs } from '../items/item.ts';
import type { DifyFacts } from './dify/dify-facts.ts';
import type { HandlerPorts } from './ports.ts';

/** What a step does with an item, or with all of them, that it cannot handle. */
export type OnError = 'stop' | 'regular_output' | 'error_output';

/** A step as its source has it. */
export interface HandlerNode {
  readonly name: string;
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
  readonly onError: OnError;
  /** Only the first item is handled. */
  readonly executeOnce: boolean;
  /** The source's credentials: type → name. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** One time that a built-in step runs. */
export interface HandlerCall extends HandlerPorts {
  readonly node: HandlerNode;
  /** What this step kept when it ran last in this run; empty before. */
  readonly kept: JsonObject;
  /** Items by input; null for an input that got nothing. */
  readonly inputs: readonly (readonly Item[] | null)[];
  /** Session, clock, zone, workflow settings, and the reader of earlier steps. */
  readonly step: Omit<StepContext, 'items'>;
  readonly evaluator: Evaluator;
  /** What code of the step may ask of the program. */
  readonly services: Services;
  /** Another workflow stands behind the step, which asks with what it is called. */
  readonly isCalling?: true;
  /** Steps of Dify: their app and their run. */
  readonly dify?: DifyFacts;
}

/** A step fails in the words of its source. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
}

/** What a step gives when items alone do not tell it. */
export interface StepAnswer {
  readonly outputs: Outputs;
  /** Kept for the step's next run, and shown to expressions as its context. */
  readonly context?: JsonObject;
  /** The items go on at this moment, in milliseconds of the clock. */
  readonly waitUntil?: number;
  /** What the run answers to whoever began it. */
  readonly response?: JsonObject;
  /** The first output is what another workflow is called with. */
  readonly calls?: CallConduct;
}

/** @throws StepFailure, or an ExpressionFailure when a limit is passed */
export type Handler = (call: HandlerCall) => Promise<Outputs | StepAnswer>;

/** The whole of what a handler gave. */
export function answerOf(given: Outputs | StepAnswer): StepAnswer {
  return 'outputs' in given ? given : { outputs: given };
}

/** The items of the first input that the step handles. */
export function itemsOf({ node, inputs }: HandlerCall): readonly Item[] {
  const items = inputs[0] ?? [];
  return node.executeOnce ? items.slice(0, 1) : items;
}

/** The context in which a step's expressions and code are computed. */
export function contextOf(call: HandlerCall, items: readonly Item[]): StepContext {
  return { ...call.step, items };
}
