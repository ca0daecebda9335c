import { t } from '../../../../preload/texts/t.ts';
import type { Json } from '../../../../server/kernel/json.ts';
import type { WrittenCondition } from '../../../../server/spec/edit/graph/operation.ts';
import type { Condition } from '../../../../server/spec/schema/spec-types.ts';

const RULES = [
  'output_contains',
  'output_equals',
  'variable_equals',
  'metadata_equals',
  'status_is',
] as const;

/** A rule that a row of the builder holds. */
export type RuleType = (typeof RULES)[number];

/** One row of the builder. */
export interface RuleRow {
  readonly type: RuleType;
  readonly not: boolean;
  readonly key: string;
  readonly value: string;
  readonly exact: boolean;
}

/** A condition as the builder shows it. */
export interface BuiltCondition {
  readonly when: 'always' | 'never' | 'all' | 'any';
  readonly rows: readonly RuleRow[];
}

/** The words of each rule. */
export const RULE_WORDS: readonly { readonly value: RuleType; readonly label: string }[] = [
  { value: 'output_contains', label: t('output contains') },
  { value: 'output_equals', label: t('output is') },
  { value: 'variable_equals', label: t('variable is') },
  { value: 'metadata_equals', label: t('metadata is') },
  { value: 'status_is', label: t('status is') },
];

/** A row to begin with. */
export const EMPTY_ROW: RuleRow = {
  type: 'output_contains',
  not: false,
  key: '',
  value: '',
  exact: false,
};

/** True for a rule that compares something with a name. */
export function isKeyed(type: RuleType): boolean {
  return type === 'variable_equals' || type === 'metadata_equals';
}

/** True for a rule that compares texts, in any case unless asked otherwise. */
export function comparesText(type: RuleType): boolean {
  return type === 'output_contains' || type === 'output_equals';
}

/** The name of a rule; undefined for anything else. */
export function ruleType(type: string): RuleType | undefined {
  return RULES.find((rule) => rule === type);
}

function rowOf(condition: Condition): RuleRow | undefined {
  if (condition.type === 'not') {
    const inner = condition.condition ? rowOf(condition.condition) : undefined;
    return inner === undefined || inner.not ? undefined : { ...inner, not: true };
  }
  const type = ruleType(condition.type);
  if (type === undefined) return undefined;
  const { value } = condition;
  const shown = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return {
    ...{ type, not: false, key: condition.key ?? '', value: shown },
    exact: condition.case_sensitive ?? false,
  };
}

/** A condition in rows; undefined for one that is nested deeper than rows can show. */
export function rowsOf(condition: Condition | null): BuiltCondition | undefined {
  if (condition === null) return { when: 'always', rows: [] };
  const { type } = condition;
  if (type === 'always' || type === 'never') return { when: type, rows: [] };
  const many = type === 'all_of' || type === 'any_of';
  const parts = many ? (condition.conditions ?? []) : [condition];
  const rows = parts.flatMap((part) => rowOf(part) ?? []);
  return rows.length === parts.length && rows.length > 0
    ? { when: type === 'any_of' ? 'any' : 'all', rows }
    : undefined;
}

/** What a rule compares with: of variables and metadata also numbers and yes or no. */
function comparedValue(type: RuleType, text: string): Json {
  if (!isKeyed(type)) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function writtenRow({ type, not, key, value, exact }: RuleRow): WrittenCondition {
  const rule: WrittenCondition = {
    type,
    ...(isKeyed(type) ? { key } : {}),
    ...(value === '' ? {} : { value: comparedValue(type, value) }),
    ...(exact && comparesText(type) ? { case_sensitive: true } : {}),
  };
  return not ? { type: 'not', condition: rule } : rule;
}

/** The condition that the rows say; null for none. */
export function conditionOf({ when, rows }: BuiltCondition): WrittenCondition | null {
  const [first, ...more] = rows.map(writtenRow);
  if (when === 'never') return { type: 'never' };
  if (when === 'always' || first === undefined) return null;
  return more.length === 0
    ? first
    : { type: when === 'all' ? 'all_of' : 'any_of', conditions: [first, ...more] };
}
