import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { connectionUpsert } from '../../contract/dashboard/settings.ts';
import { isObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { checkCapabilityMap } from '../access/access-map.ts';
import { refuse } from '../refusals.ts';
import {
  listSettingTexts,
  overwriteSetting,
  removeSettings,
} from '../settings/settings-repository.ts';
import { RECOVERY_OPERATOR, type RecoveryStore, realignGeneration } from './recovery.ts';
import { removeRecovery } from './recovery-repository.ts';
import { writeAtOnce } from './writes-sqlite.ts';

const roleLists = z.record(z.string(), z.array(z.string()));
const connectionMap = z.record(z.string().min(1), connectionUpsert.omit({ version: true }));

/** What an operator answers for after a restore; both are parsed JSON that nobody has checked yet. */
export interface ReconcileInput {
  /** Role → capabilities, or what `GET /settings/access` answers. */
  readonly accessMap: unknown;
  /** Environment → `{profile?, label?}`; undefined keeps what is stored. */
  readonly connections: unknown;
}

function parseAccessMap(given: unknown) {
  const inner = isObject(given) && 'capabilities' in given ? given['capabilities'] : given;
  const lists = roleLists.safeParse(inner);
  if (lists.success) return checkCapabilityMap(lists.data);
  throw refuse('bad_request', { message: 'The access map must be {role: [capability, …]}.' });
}

function parseConnections(given: unknown, whose: string) {
  const read = connectionMap.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw refuse('bad_request', {
    message: `The ${whose} connections are not valid${place === '' ? '' : ` at ${place}`}: ${issue?.message ?? 'unknown shape'}.`,
  });
}

function storedConnections(sqlite: BetterSqlite3.Database): Record<string, unknown> {
  const rows = listSettingTexts(sqlite, 'connections');
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

/**
 * Ends a recovery, the only way out (contract/dashboard.md 16): access map and connections as an
 * operator vouches for them, then the marker, then the counters.
 * @throws Refusal `bad_request` for a map or connections that are not valid; the recovery goes on.
 */
export function reconcile(store: RecoveryStore, input: ReconcileInput): void {
  const { sqlite } = store;
  const { viewer, operator, admin } = parseAccessMap(input.accessMap);
  const replaced =
    input.connections === undefined ? undefined : parseConnections(input.connections, 'given');
  const written = { operator: RECOVERY_OPERATOR, now: toTimestamp(store.now()) };
  writeAtOnce(sqlite, () => {
    if (replaced === undefined) parseConnections(storedConnections(sqlite), 'stored');
    overwriteSetting(sqlite, {
      namespace: 'access',
      key: 'default',
      value: { viewer: [...viewer], operator: [...operator], admin: [...admin] },
      ...written,
    });
    if (replaced !== undefined) {
      removeSettings(sqlite, 'connections');
      for (const [key, { profile, label }] of Object.entries(replaced)) {
        const value = { profile: profile === '' ? null : (profile ?? null), label };
        overwriteSetting(sqlite, { namespace: 'connections', key, value, ...written });
      }
    }
    removeRecovery(sqlite);
  });
  realignGeneration(store);
}
