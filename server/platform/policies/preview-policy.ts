import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { EnvironmentPolicy, PolicyPreview } from '../../contract/platform/policies.ts';
import { sameJson } from '../../kernel/same-json.ts';
import type { PlatformDeps } from '../deps.ts';
import { LARGE_SPEC } from '../large-spec.ts';
import { specKey } from '../spec-key.ts';
import { listNewestRuns, type PolicedRun, policedRunReader } from './policed-runs-repository.ts';
import type { Verdicts } from './verdicts.ts';

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
        return from === null || !sameJson(before.get(field), value);
      })
      .map(([field, value]) => [field, { from: before.get(field) ?? null, to: value }]),
  );
}

type PreviewDeps = Pick<PlatformDeps, 'policies' | 'specReader' | 'store'>;

/** The newest runs of an environment, one after another; requests in between are answered. */
async function* newestRuns(deps: PreviewDeps, environment: string): AsyncGenerator<PolicedRun> {
  const read = policedRunReader(deps.store);
  for (const id of listNewestRuns(deps.store, environment, NEWEST_RUNS)) {
    const run = read(id);
    if (run !== undefined) yield run;
    // Requests in between are answered.
    await turnOfLoop();
  }
}

/** What a policy would have blocked among the newest runs of its environment; stores nothing. */
export async function previewPolicy(
  deps: PreviewDeps,
  environment: string,
  policy: EnvironmentPolicy,
): Promise<PolicyPreview> {
  const current = deps.policies.find(environment) ?? null;
  const preview: PolicyPreview = {
    environment,
    diff: policyDiff(current, policy),
    affected_run_ids: [],
    newly_blocking: [],
    runs_evaluated: 0,
  };
  const known = new Map<string, Promise<Verdicts | null>>();
  for await (const run of newestRuns(deps, environment)) {
    const key = run.created_metadata.length > LARGE_SPEC ? run.id : specKey(run.created_metadata);
    const asked = known.get(key) ?? deps.specReader.verdicts(run.created_metadata, current, policy);
    known.set(key, asked);
    const verdicts = await asked;
    if (verdicts === null) continue;
    preview.runs_evaluated += 1;
    if (verdicts.before !== verdicts.after) preview.affected_run_ids.push(run.id);
    if (!verdicts.before && verdicts.after) preview.newly_blocking.push(run.id);
  }
  return preview;
}
