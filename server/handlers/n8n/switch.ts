import { errorsAside } from '../../items/errors-aside.ts';
import type { Item, JsonObject, Outputs } from '../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { filterHolds } from './conditions/filter.ts';
import { filterFields, readFilter } from './conditions/filter-settings.ts';
import { type OldType, oldField, oldHolds } from './conditions/old-operators.ts';
import { type TestPattern, withPatterns } from './conditions/patterns.ts';
import { evaluateFields, FieldFailure, type ItemFields } from './fields.ts';
import { listIn, objectIn } from './settings.ts';
import { numberOf } from './typed-value.ts';

/** How a Switch of any version chooses. */
interface Choosing {
  /** How many outputs it has, without one for errors. */
  readonly count: number;
  /** Everything in its settings that may be an expression. */
  readonly settings: readonly unknown[];
  /** The outputs that an item goes to. @throws FieldFailure */
  choose(fields: ItemFields, item: number, test: TestPattern): readonly number[];
}

const OLD_OUTPUTS = 4;
/** More than anybody can draw. */
const MOST_OUTPUTS = 1_000;

/** @throws FieldFailure when there is no such output */
function checked(output: unknown, count: number): number {
  const at = numberOf(output);
  const isOutput = Number.isInteger(at) && at >= 0 && at < count;
  if (isOutput && (output === at || output === String(at))) return at;
  const told = typeof output === 'object' ? JSON.stringify(output) : String(output);
  throw new FieldFailure(`The ouput ${told} is not allowed`);
}

function byExpression({ version, parameters }: HandlerCall['node']): Choosing {
  const amount = version < 3 ? parameters['outputsAmount'] : parameters['numberOutputs'];
  const count = version < 2 ? OLD_OUTPUTS : Math.min(Number(amount ?? OLD_OUTPUTS), MOST_OUTPUTS);
  const output = parameters['output'] ?? (version < 3 ? 0 : '');
  return {
    count,
    settings: [output],
    choose: (fields) => [checked(fields.json(output), count)],
  };
}

const OLD_TYPES: readonly OldType[] = ['number', 'boolean', 'dateTime', 'string'];

/** Versions 1 and 2: one value is compared with that of each rule until one holds. */
function byOldRules({ version, parameters }: HandlerCall['node']): Choosing {
  const type = OLD_TYPES.find((one) => one === parameters['dataType']) ?? 'number';
  const rules = listIn(objectIn(parameters, 'rules'), 'rules');
  const count = version < 2 ? OLD_OUTPUTS : rules.length;
  const left = oldField(type, parameters['value1']);
  const fallback = parameters['fallbackOutput'] ?? -1;
  const rightOf = (rule: JsonObject): unknown => oldField(type, rule['value2']);
  return {
    count,
    settings: [left, fallback, ...rules.flatMap((rule) => [rightOf(rule), rule['output']])],
    choose: (fields, _, test) => {
      const value = fields.known(left);
      const at = rules.findIndex((rule) =>
        oldHolds(type, rule['operation'], [value, fields.known(rightOf(rule))], test),
      );
      if (at >= 0)
        return [version < 2 ? checked(fields.json(rules[at]?.['output'] ?? 0), count) : at];
      const other = fields.json(fallback);
      return numberOf(other) === -1 ? [] : [checked(other, count)];
    },
  };
}

/** From version 3 on each rule has conditions of its own. */
function byRules({ parameters }: HandlerCall['node'], zone: string): Choosing {
  const filters = listIn(objectIn(parameters, 'rules'), 'values').map((rule) =>
    readFilter(rule['conditions']),
  );
  const options = objectIn(parameters, 'options');
  const fallback = options['fallbackOutput'] ?? 'none';
  const count = filters.length + (fallback === 'extra' && filters.length > 0 ? 1 : 0);
  return {
    count,
    settings: [fallback, ...filters.flatMap(filterFields)],
    choose: (fields, item, test) => {
      const found: number[] = [];
      for (const [at, filter] of filters.entries()) {
        if (filter !== null && !filterHolds(filter, fields, item, zone, test)) continue;
        found.push(at);
        if (options['allMatchingOutputs'] !== true) break;
      }
      const other = fields.json(fallback);
      if (found.length > 0 || other === 'none' || count === 0) return found;
      return [other === 'extra' ? count - 1 : checked(other, count)];
    },
  };
}

function choosingOf({ node, step }: HandlerCall): Choosing {
  if (node.parameters['mode'] === 'expression') return byExpression(node);
  return node.version < 3 ? byOldRules(node) : byRules(node, step.facts.zone);
}

type Chosen = readonly number[] | { readonly failed: string };

function chosenFor(
  choosing: Choosing,
  fields: ItemFields,
  item: number,
  test: TestPattern,
): Chosen {
  try {
    return choosing.choose(fields, item, test);
  } catch (error) {
    if (error instanceof FieldFailure) return { failed: error.message };
    throw error;
  }
}

/** Switch, all versions: an item goes to the outputs whose rules hold. */
export const handleSwitch: Handler = async (call): Promise<Outputs> => {
  const { node } = call;
  const items = itemsOf(call);
  const choosing = choosingOf(call);
  const fields = await evaluateFields(call, items, choosing.settings);
  const chosen = await withPatterns(call, (test) =>
    fields.map((own, item) => chosenFor(choosing, own, item, test)),
  );
  const outputs = Array.from({ length: Math.max(1, choosing.count) }, (): Item[] => []);
  chosen.forEach((found, at) => {
    const item = items[at];
    if ('failed' in found) {
      if (node.onError === 'stop') throw new StepFailure(found.failed);
      outputs[0]?.push({ json: { error: found.failed } });
    } else if (item !== undefined) for (const output of found) outputs[output]?.push(item);
  });
  return errorsAside(outputs, outputs.length, items, node.onError);
};
