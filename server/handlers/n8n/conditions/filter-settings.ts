import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { listIn, objectIn } from '../settings.ts';

export interface Condition {
  readonly left: unknown;
  readonly right: unknown;
  readonly type: string;
  readonly rightType: string;
  readonly operation: string;
  /** Only the left side counts. */
  readonly isSingle: boolean;
}

/** Conditions as If and Filter from version 2 on and Switch from version 3 on hold them. */
export interface FilterSettings {
  readonly conditions: readonly Condition[];
  readonly combinator: unknown;
  readonly isStrict: boolean;
  readonly ignoresCase: boolean;
  /** From 2 on, texts such as "false" are read as booleans where types are converted. */
  readonly version: number;
}

function conditionOf(condition: JsonObject): Condition {
  const operator = objectIn(condition, 'operator');
  const type = String(operator['type']);
  return {
    left: condition['leftValue'],
    right: condition['rightValue'],
    type,
    rightType: String(operator['rightType'] ?? type),
    operation: String(operator['operation']),
    isSingle: operator['singleValue'] === true,
  };
}

/** What a setting holds; null when the source does not take it for conditions, and lets all pass. */
export function readFilter(value: unknown): FilterSettings | null {
  if (!isObject(value)) return null;
  if (!('conditions' in value && 'options' in value && 'combinator' in value)) return null;
  const options = objectIn(value, 'options');
  const version = options['version'];
  return {
    conditions: listIn(value, 'conditions').map(conditionOf),
    combinator: value['combinator'],
    isStrict: options['typeValidation'] === 'strict',
    ignoresCase: options['caseSensitive'] !== true,
    version: typeof version === 'number' ? version : 1,
  };
}

/** Everything in conditions that may be an expression. */
export function filterFields(filter: FilterSettings | null): unknown[] {
  return (filter?.conditions ?? []).flatMap(({ left, right }) => [left, right]);
}
