import { POLICY_KNOBS } from '../../contract/dashboard/policies.ts';
import type { PolicyAnswer } from '../platform-answers.ts';
import type { Source } from '../read.ts';

/** One changed switch, before and after as text. */
export interface PolicyDiffEntry {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The switches that differ, the seven known ones first, then whatever else is there. */
export function policyDiff(before: Source, after: Source): PolicyDiffEntry[] {
  const known: readonly string[] = POLICY_KNOBS;
  const extra = [...Object.keys(before), ...Object.keys(after)].filter(
    (key) => !known.includes(key),
  );
  return [...new Set([...known, ...extra])].flatMap((key) => {
    const entry = { key, before: asText(before[key]), after: asText(after[key]) };
    return entry.before === entry.after ? [] : entry;
  });
}

/** The policy of an environment; a change shows in `diff` when the platform names the previous one. */
export function toPolicyView(body: PolicyAnswer, environment: string) {
  const policy = body.policy ?? {};
  const previous = body.previous_policy ?? null;
  return {
    environment,
    policy,
    previous_policy: previous,
    diff: previous === null ? [] : policyDiff(previous, policy),
  };
}
