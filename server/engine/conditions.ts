import type { Json, JsonObject } from '../kernel/json.ts';
import { sameJson } from '../kernel/same-json.ts';
import type { Condition } from '../spec/schema/spec-types.ts';
import { own } from './own.ts';

/** What a graph condition looks at: the node that just ended. */
export interface ConditionFacts {
  readonly output: string;
  readonly metadata: JsonObject;
  readonly variables: JsonObject;
  readonly status: 'completed' | 'failed';
}

/** A value as the text that an output is compared with; truth values as the contract's runs wrote them. */
function text(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}

function equals(left: Json | undefined, right: unknown): boolean {
  return sameJson(left ?? null, right ?? null);
}

function compareOutput(condition: Condition, facts: ConditionFacts): boolean {
  const fold = (raw: string) => (condition.case_sensitive === true ? raw : raw.toLowerCase());
  const output = fold(facts.output);
  const value = fold(text(condition.value));
  return condition.type === 'output_contains' ? output.includes(value) : output === value;
}

/** Evaluates a condition tree (spec-v1 5); no condition always matches. */
export function conditionHolds(
  condition: Condition | null | undefined,
  facts: ConditionFacts,
): boolean {
  if (condition === null || condition === undefined) return true;
  switch (condition.type) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'output_contains':
    case 'output_equals':
      return compareOutput(condition, facts);
    case 'metadata_equals':
      return equals(own(facts.metadata, condition.key ?? ''), condition.value);
    case 'variable_equals':
      return equals(own(facts.variables, condition.key ?? ''), condition.value);
    case 'status_is':
      return facts.status === condition.value;
    case 'all_of':
      return (condition.conditions ?? []).every((child) => conditionHolds(child, facts));
    case 'any_of':
      return (condition.conditions ?? []).some((child) => conditionHolds(child, facts));
    case 'not':
      return !conditionHolds(condition.condition, facts);
  }
}
