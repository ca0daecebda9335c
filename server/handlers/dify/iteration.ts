import { StepFailure } from '../handler.ts';
import type { DifyCall, DifyHandler } from './dify-call.ts';
import { descend, fieldsOfRun, stepsById } from './pool.ts';
import { begins, over, ownRuns, type Rounds, roundsOf } from './rounds.ts';
import { textsOf } from './values.ts';

const MOST_ROUNDS = 10_000;

function listIn(call: DifyCall): readonly unknown[] {
  const value = call.pool.at(call.data['iterator_selector']);
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value))
    throw new StepFailure(`'${call.node.name}' needs a list to go through, and got none.`);
  if (value.length > MOST_ROUNDS)
    throw new StepFailure(`'${call.node.name}' got a list of more than ${MOST_ROUNDS} items.`);
  return value;
}

/** The list that the rounds go through, as it was when the first one began. */
function keptList(call: DifyCall, { first }: Rounds): readonly unknown[] {
  const list = ownRuns(call)[first]?.context?.['list'];
  return Array.isArray(list) ? list : [];
}

/** What each round gave: the value of its last step, null where the step did not run or failed. */
function gathered(call: DifyCall, { first, round }: Rounds): unknown[] {
  const { data, dify } = call;
  const [id = '', ...path] = textsOf(data['output_selector']);
  const runs = dify.record.get(id) ?? [];
  const step = stepsById(dify.flow.steps).get(id);
  const own = ownRuns(call).slice(first, first + round + 1);
  return own.map(({ at: from = 0 }, number) => {
    const to = own[number + 1]?.at ?? Number.POSITIVE_INFINITY;
    const last = runs.findLast(({ at = 0 }) => at > from && at < to);
    if (last === undefined || step === undefined) return null;
    return descend(fieldsOfRun(step, last), path) ?? null;
  });
}

/** Lists of lists become one list, as long as the app does not say otherwise. */
function flattened(results: readonly unknown[], flatten: unknown): readonly unknown[] {
  const known = results.filter((one) => one !== null);
  const isNested = known.length > 0 && known.every((one) => Array.isArray(one));
  return flatten !== false && isNested ? known.flat() : results;
}

/** Iteration: one round for each item of a list, then the list of what the rounds gave. */
export const handleIteration: DifyHandler = (call) => {
  const { data } = call;
  const rounds = roundsOf(call);
  const list = rounds === undefined ? listIn(call) : keptList(call, rounds);
  const round = rounds === undefined ? 0 : rounds.round + 1;
  const first = rounds?.first ?? ownRuns(call).length;
  if (round < list.length) {
    const kept = rounds === undefined ? { list } : {};
    return begins({ item: list[round], index: round }, { round, first }, kept);
  }
  if (rounds === undefined) return over({ output: [] });
  const results = gathered(call, rounds);
  const drops = data['error_handle_mode'] === 'remove-abnormal-output';
  const good = drops ? results.filter((one) => one !== null) : results;
  return over({ output: flattened(good, data['flatten_output']) });
};
