import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DashboardTables } from './dashboard-tables.ts';
import { openDatabase } from './open-database.ts';

type Column = 'TEXT' | 'TEXT?' | 'INTEGER';

/** Complete by type: a column that the types do not know, or miss, does not compile. */
const COLUMNS: {
  [Table in keyof DashboardTables]: Record<keyof DashboardTables[Table], Column>;
} = {
  annotations: {
    id: 'TEXT',
    run_id: 'TEXT',
    body: 'TEXT',
    tags: 'TEXT',
    created_by: 'TEXT',
    created_at: 'TEXT',
    updated_at: 'TEXT',
    version: 'INTEGER',
  },
  saved_filters: {
    id: 'TEXT',
    name: 'TEXT',
    filters: 'TEXT',
    created_by: 'TEXT',
    created_at: 'TEXT',
    updated_at: 'TEXT',
    version: 'INTEGER',
  },
  launches: {
    id: 'TEXT',
    environment: 'TEXT?',
    mode: 'TEXT',
    spec_path: 'TEXT?',
    digest: 'TEXT?',
    label: 'TEXT',
    run_id: 'TEXT?',
    created_by: 'TEXT',
    created_at: 'TEXT',
    details: 'TEXT?',
  },
  audit_log: {
    id: 'TEXT',
    operator: 'TEXT',
    action: 'TEXT',
    environment: 'TEXT?',
    target: 'TEXT?',
    outcome: 'TEXT',
    created_at: 'TEXT',
    details: 'TEXT?',
  },
  sessions: {
    id: 'TEXT',
    operator_identity: 'TEXT',
    role: 'TEXT',
    created_at: 'TEXT',
    expires_at: 'TEXT',
    last_seen_at: 'TEXT',
    map_version: 'INTEGER',
  },
  config: {
    namespace: 'TEXT',
    key: 'TEXT',
    value: 'TEXT',
    created_by: 'TEXT',
    created_at: 'TEXT',
    updated_at: 'TEXT',
    version: 'INTEGER',
  },
  recovery: { id: 'INTEGER', entered_at: 'TEXT', reason: 'TEXT' },
};

test('the table types are what a fresh migration makes', () => {
  const database = openDatabase<DashboardTables>({
    name: 'dashboard',
    file: ':memory:',
    migrations: fileURLToPath(new URL('../../migrations/dashboard', import.meta.url)),
    now: () => 0,
  });
  const tables = database.sqlite
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'schema_migrations'",
    )
    .all()
    .map(({ name }) => name);
  const found = Object.fromEntries(
    tables.map((table) => [
      table,
      Object.fromEntries(
        database.sqlite
          .prepare<[string], { name: string; type: string; notnull: number; pk: number }>(
            'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
          )
          .all(table)
          .map(({ name, type, notnull, pk }) => [
            name,
            notnull === 1 || pk > 0 ? type : `${type}?`,
          ]),
      ),
    ]),
  );
  database.close();
  expect(found).toEqual(COLUMNS);
});
