import { errorsAside } from '../../items/errors-aside.ts';
import type { Item, Outputs } from '../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { filterHolds } from './conditions/filter.ts';
import { filterFields, readFilter } from './conditions/filter-settings.ts';
import { oldConditionsHold, readOldConditions } from './conditions/old-conditions.ts';
import { type TestPattern, withPatterns } from './conditions/patterns.ts';
import { evaluateFields, FieldFailure, type ItemFields } from './fields.ts';

type Parted = readonly [Item[], Item[]];

/** Whether conditions hold for an item, or why nobody can say. */
type Verdict = boolean | { readonly failed: string };

/** @throws FieldFailure */
type Judge = (fields: ItemFields, item: number, test: TestPattern) => boolean;

function verdictOf(judge: Judge, fields: ItemFields, item: number, test: TestPattern): Verdict {
  try {
    return judge(fields, item, test);
  } catch (error) {
    if (error instanceof FieldFailure) return { failed: error.message };
    throw error;
  }
}

async function verdicts(
  call: HandlerCall,
  items: readonly Item[],
  settings: readonly unknown[],
  judge: Judge,
): Promise<readonly Verdict[]> {
  const fields = await evaluateFields(call, items, settings);
  return withPatterns(call, (test) => fields.map((own, item) => verdictOf(judge, own, item, test)));
}

/** Items that hold, and all others. */
function parted(items: readonly Item[], holds: readonly boolean[]): Parted {
  return [items.filter((_, at) => holds[at]), items.filter((_, at) => !holds[at])];
}

/** By conditions of the newer form: an item that cannot be judged holds not, unless it stops the run. */
async function partByFilter(call: HandlerCall): Promise<Parted> {
  const { node, step } = call;
  const items = itemsOf(call);
  const filter = readFilter(node.parameters['conditions']);
  if (filter === null)
    return parted(
      items,
      items.map(() => true),
    );
  const judged = await verdicts(call, items, filterFields(filter), (fields, item, test) =>
    filterHolds(filter, fields, item, step.facts.zone, test),
  );
  const holds = judged.map((one) => {
    if (typeof one === 'boolean') return one;
    if (node.onError === 'stop') throw new StepFailure(one.failed);
    return false;
  });
  return parted(items, holds);
}

/** By conditions of version 1: an item that cannot be judged fails the step as a whole. */
async function partByOldConditions(call: HandlerCall, needsAll: boolean): Promise<Parted> {
  const items = itemsOf(call);
  const conditions = readOldConditions(call.node.parameters);
  const settings = conditions.flatMap(({ left, right }) => [left, right]);
  const judged = await verdicts(call, items, settings, (fields, _, test) =>
    oldConditionsHold(conditions, needsAll, fields, test),
  );
  const holds = judged.map((one) => {
    if (typeof one === 'boolean') return one;
    throw new StepFailure(one.failed);
  });
  return parted(items, holds);
}

function part(call: HandlerCall, needsAll: boolean): Promise<Parted> {
  return call.node.version < 2 ? partByOldConditions(call, needsAll) : partByFilter(call);
}

/** If, all versions: what holds goes to the first output, the rest to the second. */
export const handleIf: Handler = async (call): Promise<Outputs> => {
  const outputs = await part(call, call.node.parameters['combineOperation'] !== 'any');
  return errorsAside(outputs, 2, itemsOf(call), call.node.onError);
};

/**
 * Filter, all versions: what holds goes on. The rest stands in a second output that nothing can be
 * connected to.
 */
export const handleFilter: Handler = async (call): Promise<Outputs> => {
  const outputs = await part(call, call.node.parameters['combineConditions'] !== 'OR');
  return errorsAside(outputs, 1, itemsOf(call), call.node.onError);
};
