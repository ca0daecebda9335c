import { ROUND_OUTPUT } from '../../items/dify-types.ts';
import type { JsonObject } from '../../items/item.ts';
import type { NodeRun } from '../../items/run-record.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';

/** The output by which a step with rounds goes on when they are over. */
const DONE = 0;

/** Where the rounds of a step stand, as it keeps them; undefined before the first one. */
export interface Rounds {
  /** Number of the round in progress, from 0. */
  readonly round: number;
  /** Number of the step's run that began the first one. */
  readonly first: number;
}

/** The rounds in progress; undefined when the step begins anew. */
export function roundsOf({ kept }: DifyCall): Rounds | undefined {
  const { round, first } = kept;
  return typeof round === 'number' && typeof first === 'number' ? { round, first } : undefined;
}

/** The runs of the step itself. */
export function ownRuns({ dify }: DifyCall): readonly NodeRun[] {
  return dify.record.get(dify.id) ?? [];
}

/** Begins a round, and keeps what is to be kept of it. */
export function begins(json: JsonObject, rounds: Rounds, more: JsonObject = {}) {
  return { ...gives(json, ROUND_OUTPUT), context: { ...rounds, ...more } };
}

/** Ends the rounds: the next run of the step begins anew. */
export function over(json: JsonObject, more: JsonObject = {}) {
  return { ...gives(json, DONE), context: more };
}

/** The first step of a round, or its last: it hands on that it ran. */
export const handleMark: DifyHandler = () => gives({});
