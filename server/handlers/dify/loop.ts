import { difyType } from '../../items/dify-types.ts';
import type { JsonObject } from '../../items/item.ts';
import { groupHolds } from './conditions.ts';
import type { DifyCall, DifyHandler } from './dify-call.ts';
import { type Pool, stepsById, type Variables } from './pool.ts';
import { begins, over, ownRuns, type Rounds, roundsOf } from './rounds.ts';
import { objectsOf, parsedJson } from './values.ts';

const DEFAULT_ROUNDS = 10;

function constantOf({ value, var_type }: JsonObject): unknown {
  if (typeof value !== 'string' || var_type === 'string') return value;
  if (value === '')
    return var_type === 'object' ? {} : String(var_type).startsWith('array') ? [] : '';
  const read = parsedJson(value);
  return read === undefined ? value : read;
}

function firstValues({ data, pool }: DifyCall): JsonObject {
  const named = objectsOf(data['loop_variables']).map((one) => [
    String(one['label'] ?? ''),
    one['value_type'] === 'variable' ? (pool.at(one['value']) ?? null) : constantOf(one),
  ]);
  return Object.fromEntries(named);
}

/** A round reached a step that ends the loop. */
function isLeft(call: DifyCall, { first, round }: Rounds): boolean {
  const { dify } = call;
  const from = ownRuns(call)[first + round]?.at ?? 0;
  return [...stepsById(dify.flow.steps)].some(([id, step]) => {
    const around = step.inside === undefined ? undefined : dify.flow.steps[step.inside];
    const isOwn = step.type === difyType('loop-end') && (around?.id ?? around?.name) === dify.id;
    return isOwn && (dify.record.get(id)?.at(-1)?.at ?? -1) > from;
  });
}

function breaks({ data }: DifyCall, pool: Pool): boolean {
  const conditions = objectsOf(data['break_conditions']);
  const { logical_operator } = data;
  return conditions.length > 0 && groupHolds({ conditions, logical_operator }, pool);
}

function roundsAllowed({ data }: DifyCall): number {
  const count = Number(data['loop_count'] ?? DEFAULT_ROUNDS);
  return Number.isFinite(count) ? Math.floor(count) : DEFAULT_ROUNDS;
}

/** Loop: rounds with variables of its own until a condition holds, a step ends it, or it is enough. */
export const handleLoop: DifyHandler = (call) => {
  const { dify, pool } = call;
  const rounds = roundsOf(call);
  const isFirst = rounds === undefined;
  const own = isFirst ? firstValues(call) : (pool.variables[dify.id] ?? {});
  const variables: Variables = { ...pool.variables, [dify.id]: own };
  const seen = isFirst ? pool.with(variables) : pool;
  const round = isFirst ? 0 : rounds.round + 1;
  const isOver =
    round >= roundsAllowed(call) || (!isFirst && isLeft(call, rounds)) || breaks(call, seen);
  const first = isFirst ? ownRuns(call).length : rounds.first;
  if (!isOver) return begins({ ...own, index: round }, { round, first }, { variables });
  const { [dify.id]: _, ...others } = variables;
  return over({ ...own, loop_round: round }, { variables: others });
};
