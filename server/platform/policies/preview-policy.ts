import type { EnvironmentPolicy, PolicyPreview } from '../../contract/platform/policies.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { environmentPolicyFindings } from '../../spec/environment-policy.ts';
import { loadSpec } from '../../spec/load-spec.ts';
import type { Spec } from '../../spec/spec-types.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';

const NEWEST_RUNS = 500;

/** Changed fields only; `from` is null for all of them when no policy is stored. */
export function policyDiff(
  from: EnvironmentPolicy | null,
  to: EnvironmentPolicy,
): Record<string, { from: unknown; to: unknown }> {
  const before = new Map<string, unknown>(Object.entries(from ?? {}));
  return Object.fromEntries(
    Object.entries(to)
      .filter(([field, value]) => {
        return from === null || canonicalJson(before.get(field)) !== canonicalJson(value);
      })
      .map(([field, value]) => [field, { from: before.get(field) ?? null, to: value }]),
  );
}

function specOf(row: RunsTable): Spec | undefined {
  const frozen = frozenSpecOf(row.created_metadata);
  if (frozen === undefined) return undefined;
  return loadSpec({
    base: frozen.base,
    overlays: frozen.overlays,
    overrides: frozen.overrides,
    environment: frozen.environment,
    skills: frozen.skillsOverlay,
  }).spec;
}

function blocks(spec: Spec, policy: EnvironmentPolicy | null): boolean {
  return policy?.enabled === true && environmentPolicyFindings(spec, policy).length > 0;
}

/** What a policy would have blocked among the newest runs of its environment; stores nothing. */
export function previewPolicy(
  deps: PlatformDeps,
  environment: string,
  policy: EnvironmentPolicy,
): PolicyPreview {
  const current = deps.policies.find(environment) ?? null;
  const preview: PolicyPreview = {
    environment,
    diff: policyDiff(current, policy),
    affected_run_ids: [],
    newly_blocking: [],
    runs_evaluated: 0,
  };
  const rows = deps.store.sqlite
    .prepare<[number, string], RunsTable>(
      `SELECT runs.* FROM (SELECT run_id FROM run_list ORDER BY created_at DESC LIMIT ?)
       JOIN runs ON runs.id = run_id WHERE environment = ?`,
    )
    .all(NEWEST_RUNS, environment);
  for (const row of rows) {
    const spec = specOf(row);
    if (spec === undefined) continue;
    preview.runs_evaluated += 1;
    const before = blocks(spec, current);
    const after = blocks(spec, policy);
    if (before !== after) preview.affected_run_ids.push(row.id);
    if (!before && after) preview.newly_blocking.push(row.id);
  }
  return preview;
}
