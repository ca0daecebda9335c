import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { z } from 'zod';
import type { CredentialNeed, CredentialNeeds } from '../../contract/platform/security.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Secrets } from '../../runtime/secrets.ts';
import type { PlatformDeps } from '../deps.ts';
import { LARGE_SPEC } from '../large-spec.ts';
import { specKey } from '../spec-key.ts';
import { type NewestRun, newestRunIds, newestRunReader } from './newest-runs-repository.ts';

/** More different specs than this are not read for one answer. */
const MOST_SPECS = 100;
const MOST_WORKFLOWS = 20;

const specAsks = z.object({
  project: z.string().nullable(),
  credentials: z.array(
    z.object({
      env_var: z.string(),
      provider: z.string().nullable(),
      title: z.string().nullable(),
    }),
  ),
});
type SpecAsks = z.output<typeof specAsks>;

type NeedDeps = Pick<PlatformDeps, 'store' | 'secrets'> & {
  readonly specReader: Pick<PlatformDeps['specReader'], 'frozen'>;
};

/** Runs of one spec ask for the same; a large one is told apart by its run. */
function keyOf({ id, created_metadata }: NewestRun): string {
  return created_metadata.length > LARGE_SPEC ? id : specKey(created_metadata);
}

/** Undefined for a spec that takes too long to read. */
async function readAsks({ specReader }: NeedDeps, run: NewestRun): Promise<SpecAsks | undefined> {
  try {
    const { text } = await specReader.frozen('credentials', run.created_metadata);
    return specAsks.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function addRun(need: CredentialNeed, run: NewestRun): void {
  const name = run.workflow_name ?? '';
  const agent_name = run.agent_name ?? '';
  const known = need.workflows.find(
    (workflow) => workflow.name === name && (name !== '' || workflow.agent_name === agent_name),
  );
  need.runs += 1;
  if (known !== undefined) {
    known.runs += 1;
  } else if (need.workflows.length < MOST_WORKFLOWS) {
    const last = { last_run_id: run.id, last_created_at: run.created_at };
    need.workflows.push({ name, agent_name, runs: 1, ...last });
  }
}

function addNeed(
  needs: Map<string, CredentialNeed>,
  { env_var, provider, title }: SpecAsks['credentials'][number],
  secrets: Secrets,
): CredentialNeed {
  const found = provider === null ? secrets.named(env_var) : secrets.providerKey(provider);
  const need = needs.get(env_var) ?? {
    ...{ env_var, provider, title, present: true, usable: true },
    ...{ runs: 0, workflows: [] },
  };
  need.present &&= found.kind !== 'missing';
  need.usable &&= found.kind === 'found';
  needs.set(env_var, need);
  return need;
}

/** Which secrets the newest runs asked for, and which of them runs would get now; never a value. */
export async function credentialNeeds(deps: NeedDeps, among: number): Promise<CredentialNeeds> {
  const needs = new Map<string, CredentialNeed>();
  const specs = new Map<string, SpecAsks>();
  await deps.secrets.ready();
  const answer: CredentialNeeds = { runs_looked_at: 0, runs_left_out: 0, needs: [] };
  const read = newestRunReader(deps.store);
  const asksOf = async (run: NewestRun): Promise<SpecAsks | undefined> => {
    const key = keyOf(run);
    const known = specs.get(key);
    if (known !== undefined || specs.size >= MOST_SPECS) return known;
    const asks = await readAsks(deps, run);
    if (asks !== undefined) specs.set(key, asks);
    return asks;
  };
  for (const id of newestRunIds(deps.store, among)) {
    const run = read(id);
    const asks = run === undefined ? undefined : await asksOf(run);
    if (run === undefined || asks === undefined) {
      answer.runs_left_out += 1;
      continue;
    }
    answer.runs_looked_at += 1;
    const secrets = deps.secrets.of(asks.project);
    for (const credential of asks.credentials) {
      addRun(addNeed(needs, credential, secrets), run);
    }
    // Requests in between are answered.
    await turnOfLoop();
  }
  answer.needs = [...needs.values()].sort((a, b) => b.runs - a.runs);
  return answer;
}
