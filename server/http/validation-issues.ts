import { z } from 'zod';

/** One finding about a request, in the field names that the clients read. Never holds the input. */
export interface Issue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

type Place = 'body' | 'query' | 'path' | 'header';
type ZodIssue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** Findings of one part that an answer holds: nobody reads more of them. */
export const MAX_ISSUES = 1000;

const TYPE_OF_EXPECTED: Readonly<Record<string, string>> = {
  string: 'string_type',
  int: 'int_type',
  number: 'float_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'model_attributes_type',
  record: 'dict_type',
};

function invalidType(issue: ZodIssue & { code: 'invalid_type' }, atRoot: boolean): string {
  if (issue.input === undefined && !atRoot) return 'missing';
  return TYPE_OF_EXPECTED[issue.expected] ?? 'value_error';
}

function bound(issue: ZodIssue & { code: 'too_small' | 'too_big' }): string {
  const small = issue.code === 'too_small';
  if (issue.origin === 'string') return small ? 'string_too_short' : 'string_too_long';
  if (issue.origin === 'array') return small ? 'too_short' : 'too_long';
  const inclusive = issue.inclusive !== false;
  if (small) return inclusive ? 'greater_than_equal' : 'greater_than';
  return inclusive ? 'less_than_equal' : 'less_than';
}

function typeOf(issue: ZodIssue, atRoot: boolean): string {
  if (issue.code === 'custom') {
    const named: unknown = issue.params?.['type'];
    return typeof named === 'string' ? named : 'value_error';
  }
  if (issue.code === 'invalid_type') return invalidType(issue, atRoot);
  if (issue.code === 'too_small' || issue.code === 'too_big') return bound(issue);
  if (issue.code === 'invalid_value' && issue.input === undefined && !atRoot) return 'missing';
  if (issue.code === 'invalid_value') return issue.values.length === 1 ? 'literal_error' : 'enum';
  return 'value_error';
}

function message(issue: ZodIssue, type: string): string {
  return type === 'missing' ? 'Field required' : issue.message;
}

const WITH_INPUT = { reportInput: true } as const;

function pathOf(issue: RawIssue): (string | number)[] {
  return (issue.path ?? []).map((part) => (typeof part === 'symbol' ? String(part) : part));
}

function issuesOf(raw: RawIssue, place: Place, room: number): Issue[] {
  const path = pathOf(raw);
  if (raw.code === 'unrecognized_keys') {
    return raw.keys.slice(0, room).map((key) => ({
      loc: [place, ...path, key],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }));
  }
  const issue = z.core.util.finalizeIssue(raw, WITH_INPUT, z.config());
  const type = typeOf(issue, path.length === 0);
  return [{ loc: [place, ...path], msg: message(issue, type), type }];
}

/**
 * Translates what zod found in one part of a request, as it found it: writing out an issue takes
 * most of the time, so that is done for those which an answer holds. Unknown keys become one issue
 * per key.
 */
export function toIssues(found: readonly RawIssue[], place: Place): Issue[] {
  const issues: Issue[] = [];
  for (const raw of found) {
    if (issues.length >= MAX_ISSUES) break;
    issues.push(...issuesOf(raw, place, MAX_ISSUES - issues.length));
  }
  return issues;
}
