import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEvent } from '../../contract/platform/audit.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { createAuditRepository } from './audit-repository.ts';
import { createRecordAudit, type RecordAudit } from './record-audit.ts';

let folder: string;
let store: Database<PlatformTables>;
let exported: AuditEvent[];
let recordAudit: RecordAudit;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-audit-'));
  store = openDatabase<PlatformTables>({
    name: 'platform',
    file: path.join(folder, 'platform.db'),
    migrations: fileURLToPath(new URL('../../../migrations/platform', import.meta.url)),
    now: Date.now,
  });
  exported = [];
  recordAudit = createRecordAudit({
    repository: createAuditRepository(store),
    clock: systemClock(),
    ids: randomIds(),
    log: { info() {}, warn() {}, error() {} },
    sink: (event) => {
      const stored = store.sqlite.prepare('SELECT 1 FROM audit_events WHERE id = ?').get(event.id);
      expect([store.sqlite.inTransaction, stored]).toEqual([false, { 1: 1 }]);
      exported.push(event);
    },
  });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const event = (run_id: string) =>
  ({ event_type: 'run.created', actor: 'me', run_id, metadata: {} }) as const;

test('an event is exported once its transaction is committed (platform.md 8, RP-101)', async () => {
  store.sqlite.transaction(() => {
    recordAudit(event('one'));
    recordAudit(event('two'));
    expect(exported).toEqual([]);
  })();
  await Promise.resolve();
  expect(exported.map(({ run_id }) => run_id)).toEqual(['one', 'two']);
});

test('an event whose transaction was rolled back is never exported; the one tried again is, once', async () => {
  const write = (then: () => void): void => {
    store.sqlite.transaction(() => {
      recordAudit(event('tried'));
      then();
    })();
  };
  const fail = (): never => {
    throw new Error('no room');
  };
  expect(() => write(fail)).toThrow('no room');
  await Promise.resolve();
  expect(exported).toEqual([]);
  expect(() => write(fail)).toThrow('no room');
  write(() => undefined);
  await Promise.resolve();
  expect(exported.map(({ run_id }) => run_id)).toEqual(['tried']);
  expect(store.sqlite.prepare('SELECT count(*) AS n FROM audit_events').get()).toEqual({ n: 1 });
});
