import type { JsonObject } from '../../kernel/json.ts';
import { providerKeyVariable } from '../../runtime/models/provider-names.ts';
import type { SecretAnswer } from '../../runtime/secrets.ts';
import type { PlatformDeps } from '../deps.ts';
import { askTable } from './probe-repository.ts';

function probe(name: string, check: () => JsonObject): JsonObject {
  try {
    return { name, ok: true, ...check() };
  } catch {
    return { name, ok: false, error: 'check_failed' };
  }
}

function secretsProbe(
  name: string,
  names: readonly string[],
  variableOf: (name: string) => string,
  answerOf: (name: string) => SecretAnswer,
): JsonObject {
  if (names.length === 0) return { name, ok: true, configured: false };
  const items: JsonObject = {};
  let ok = true;
  for (const item of names) {
    const variable = variableOf(item);
    const present = answerOf(item).kind !== 'missing';
    ok &&= present;
    items[item] = { name: item, env_var: variable, present, value: present ? '[REDACTED]' : null };
  }
  return { name, ok, configured: true, items };
}

/** How each queue stands, also as the words that a list of checks shows. */
function queueFacts({ queue }: Pick<PlatformDeps, 'queue'>): JsonObject {
  const standing = queue.standings();
  const queues = standing.map(({ queue: name, ...facts }) => [name, { ...facts }] as const);
  const words = standing.map(({ queue: name, queued, running, limit }) => {
    const most = limit === null ? '' : ` of ${limit}`;
    return `${name}: ${queued} waiting, ${running}${most} executing`;
  });
  return { queues: Object.fromEntries(queues), detail: words.join('; ') };
}

/** What waits for receivers of events and what was given up; nothing where there is no receiver. */
function eventsProbes({ events }: Pick<PlatformDeps, 'events'>): JsonObject[] {
  const check = (): JsonObject => {
    const counts = events.counts();
    const sum = (status: string): number =>
      counts.reduce((total, each) => total + (each.status === status ? each.n : 0), 0);
    const dead = sum('dead');
    const detail = `${sum('waiting')} waiting, ${dead} given up`;
    return { waiting: sum('waiting'), dead, degraded: dead > 0, detail };
  };
  return events.webhooks().length === 0 ? [] : [probe('events', check)];
}

/** The checks of /readyz (contract/platform.md 3.12). */
export async function readiness(
  deps: PlatformDeps,
): Promise<{ ready: boolean; metadata: JsonObject }> {
  const { kind } = deps.storage;
  const room = await deps.storage.hasRoom().catch(() => false);
  const handlers = deps.handlers.names();
  const { healthProviders, healthMcpSecrets } = deps.config;
  // A keychain that does not answer is no matter of a platform that is asked for no secret.
  if (healthProviders.length + healthMcpSecrets.length > 0) await deps.secrets.ready();
  const probes = [
    probe('api', () => ({ status: 'ready' })),
    probe('run_state_store', () => {
      askTable(deps.store, 'runs');
      if (!room) throw new Error('the disk is full or takes no writes');
      return { kind };
    }),
    probe('continuation_store', () => {
      askTable(deps.store, 'continuations');
      return { kind };
    }),
    probe('queue', () => ({
      kind,
      durable: true,
      ...deps.queue.counts(),
      ...queueFacts(deps),
    })),
    ...eventsProbes(deps),
    probe('execution', () => ({ crashed_runs: deps.metrics.counters.runs_crashed })),
    probe('runtime_registry', () => ({ count: 1, names: ['offline'] })),
    probe('tool_registry', () => ({ count: handlers.length, names: [...handlers] })),
    secretsProbe('providers', healthProviders, providerKeyVariable, (provider) =>
      deps.secrets.of(null).providerKey(provider),
    ),
    secretsProbe(
      'mcp',
      healthMcpSecrets,
      (name) => name,
      (name) => deps.secrets.of(null).named(name),
    ),
  ];
  const checks = Object.fromEntries(probes.map((check) => [String(check['name']), check]));
  const ready = probes.every((check) => check['ok'] === true);
  return { ready, metadata: { ready, manager: { status: ready ? 'ready' : 'degraded' }, checks } };
}
