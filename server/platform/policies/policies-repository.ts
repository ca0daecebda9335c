import { type EnvironmentPolicy, environmentPolicy } from '../../contract/platform/policies.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isObject, setOwn } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';

import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

const METADATA_KEY = 'environment_policy_enforcement';

export type PolicyMap = Readonly<Record<string, EnvironmentPolicy>>;

/** Environment policies, kept as one map. */
export interface PolicyStore {
  all(): PolicyMap;
  find(environment: string): EnvironmentPolicy | undefined;
  /** Replaces one policy; answers what was stored before. */
  replace(environment: string, policy: EnvironmentPolicy): EnvironmentPolicy | null;
}

function parsePolicies(text: string | undefined): PolicyMap {
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  const policies: Record<string, EnvironmentPolicy> = {};
  if (!isObject(value)) return policies;
  for (const [name, stored] of Object.entries(value)) {
    const parsed = environmentPolicy.safeParse(stored);
    if (parsed.success) setOwn(policies, name, parsed.data);
  }
  return policies;
}

export function createPolicyStore(store: SyncStore<PlatformTables>, clock: Clock): PolicyStore {
  const select = store.sync.prepare<[string], { value: string }>(
    'SELECT value FROM project_metadata WHERE key = ?',
  );
  const upsert = store.sync.prepare<[string, string, string]>(
    `INSERT INTO project_metadata (key, value, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  );
  const all = (): PolicyMap => parsePolicies(select.get(METADATA_KEY)?.value);
  const find = (environment: string): EnvironmentPolicy | undefined => {
    const policies = all();
    return Object.hasOwn(policies, environment) ? policies[environment] : undefined;
  };
  const replace = store.sync.transaction(
    (environment: string, policy: EnvironmentPolicy): EnvironmentPolicy | null => {
      const policies: Record<string, EnvironmentPolicy> = { ...all() };
      const previous = Object.hasOwn(policies, environment) ? policies[environment] : undefined;
      setOwn(policies, environment, policy);
      upsert.run(METADATA_KEY, JSON.stringify(policies), toTimestamp(clock.now()));
      return previous ?? null;
    },
  );
  return { all, find, replace: (environment, policy) => replace.immediate(environment, policy) };
}
