import type { JsonObject } from '../../kernel/json.ts';
import { providerKeyVariable } from '../../runtime/models/provider-names.ts';
import type { SecretAnswer } from '../../runtime/secrets.ts';
import { hasDiskRoom } from '../../store/disk-room.ts';
import type { PlatformDeps } from '../deps.ts';

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

/** The checks of /readyz (contract/platform.md 3.12). */
export async function readiness(
  deps: PlatformDeps,
): Promise<{ ready: boolean; metadata: JsonObject }> {
  const { sqlite } = deps.store;
  const room = sqlite.memory || (await hasDiskRoom(sqlite.name));
  const touch = (table: string): void => {
    sqlite.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
  };
  const handlers = deps.handlers.names();
  const probes = [
    probe('api', () => ({ status: 'ready' })),
    probe('run_state_store', () => {
      touch('runs');
      if (!room) throw new Error('the disk is full or takes no writes');
      // An older store is served at once; its lists are short until all of its runs are in them.
      return deps.runs.unlisted.isUnderWay()
        ? { ok: false, error: 'migrating', kind: 'sqlite' }
        : { kind: 'sqlite' };
    }),
    probe('continuation_store', () => {
      touch('continuations');
      return { kind: 'sqlite' };
    }),
    probe('queue', () => ({
      kind: 'sqlite',
      durable: true,
      ...deps.queue.counts(),
    })),
    probe('execution', () => ({ crashed_runs: deps.metrics.counters.runs_crashed })),
    probe('runtime_registry', () => ({ count: 1, names: ['offline'] })),
    probe('tool_registry', () => ({ count: handlers.length, names: [...handlers] })),
    secretsProbe('providers', deps.config.healthProviders, providerKeyVariable, (provider) =>
      deps.secrets.providerKey(provider),
    ),
    secretsProbe(
      'mcp',
      deps.config.healthMcpSecrets,
      (name) => name,
      (name) => deps.secrets.named(name),
    ),
  ];
  const checks = Object.fromEntries(probes.map((check) => [String(check['name']), check]));
  const ready = probes.every((check) => check['ok'] === true);
  return { ready, metadata: { ready, manager: { status: ready ? 'ready' : 'degraded' }, checks } };
}
