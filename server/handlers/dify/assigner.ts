import type { JsonObject } from '../../items/item.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { type Pool, stepsById, type Variables } from './pool.ts';
import { objectsOf, parsedJson, textsOf } from './values.ts';

interface Change {
  readonly selector: readonly string[];
  readonly operation: string;
  /** What it is changed with. */
  readonly value: unknown;
}

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  boolean: false,
  object: {},
};

/** The type of a variable of the app, or of a loop. */
function typeOf({ dify }: DifyCall, [owner = '', name = '']: readonly string[]): string {
  const { flow } = dify;
  if (owner === 'conversation') {
    const found = flow.conversation_variables?.find((one) => one['name'] === name);
    return String(found?.['value_type'] ?? 'string');
  }
  const loop = stepsById(flow.steps).get(owner)?.parameters['loop_variables'];
  return String(objectsOf(loop).find(({ label }) => label === name)?.['var_type'] ?? 'string');
}

function emptyOf(type: string): unknown {
  return type.startsWith('array') ? [] : (EMPTY[type] ?? '');
}

function listOf(value: unknown, node: HandlerCall['node']): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new StepFailure(`'${node.name}' changes a list, and the variable holds none.`);
}

function numberIn(value: unknown, node: HandlerCall['node']): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new StepFailure(`'${node.name}' computes with a number, and got none.`);
}

type Operation = (before: unknown, value: unknown, call: DifyCall, change: Change) => unknown;

function computed(compute: (one: number, other: number) => number): Operation {
  return (before, value, { node }) => compute(numberIn(before ?? 0, node), numberIn(value, node));
}

function divided(one: number, other: number): number {
  if (other === 0) throw new StepFailure('A variable cannot be divided by 0.');
  return one / other;
}

const taken: Operation = (_, value) => value;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'over-write': taken,
  set: taken,
  clear: (_before, _value, call, { selector }) => emptyOf(typeOf(call, selector)),
  append: (before, value, { node }) => [...listOf(before, node), value],
  extend: (before, value, { node }) => [...listOf(before, node), ...listOf(value, node)],
  '+=': computed((one, other) => one + other),
  '-=': computed((one, other) => one - other),
  '*=': computed((one, other) => one * other),
  '/=': computed(divided),
  'remove-first': (before, _, { node }) => listOf(before, node).slice(1),
  'remove-last': (before, _, { node }) => listOf(before, node).slice(0, -1),
};

/** A constant as the variable takes it: a text may hold what is no text. */
function constant(value: unknown, type: string): unknown {
  if (typeof value !== 'string' || type === 'string' || type === 'array[string]') return value;
  const read = parsedJson(value);
  return read === undefined ? value : read;
}

function givenValue(
  item: JsonObject,
  selector: readonly string[],
  call: DifyCall,
  pool: Pool,
): unknown {
  const { input_type, value } = item;
  if (input_type !== 'constant') return pool.at(value) ?? null;
  return constant(value, typeOf(call, selector));
}

function oldChange({ data, pool }: DifyCall): Change {
  const written = String(data['write_mode'] ?? 'over-write');
  return {
    selector: textsOf(data['assigned_variable_selector']),
    operation: written === 'over-write' || written === 'append' ? written : 'clear',
    value: pool.at(data['input_variable_selector']) ?? null,
  };
}

function withChange(before: Variables, change: Change, value: unknown): Variables {
  const [owner = '', name = ''] = change.selector;
  return { ...before, [owner]: { ...before[owner], [name]: value } };
}

/** Assigner: changes variables of the app or of a loop, one after another. */
export const handleAssigner: DifyHandler = (call) => {
  const { data, node } = call;
  const items = objectsOf(data['items']);
  const isOld = items.length === 0 && data['assigned_variable_selector'] !== undefined;
  let { pool } = call;
  const changed: JsonObject = {};
  const apply = (change: Change): void => {
    const operation = OPERATIONS[change.operation];
    if (operation === undefined)
      throw new StepFailure(
        `'${node.name}' asks for '${change.operation}', which no assigner does.`,
      );
    const value = operation(pool.get(change.selector), change.value, call, change);
    pool = pool.with(withChange(pool.variables, change, value));
    changed[change.selector.slice(1).join('.')] = value;
  };
  if (isOld) apply(oldChange(call));
  for (const item of items) {
    const selector = textsOf(item['variable_selector']);
    apply({
      selector,
      operation: String(item['operation'] ?? 'over-write'),
      value: givenValue(item, selector, call, pool),
    });
  }
  return { ...gives(changed), context: { variables: pool.variables } };
};
