// The connection to an external database is protected as its address asks.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExternalDatabase } from '../../server/contract/database.ts';
import type { DashboardTables } from '../../server/store/dashboard-tables.ts';
import { openPostgres } from '../../server/store/open-postgres.ts';
import { externalAt } from '../support/chosen-store.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { type Authority, makeAuthority } from '../support/test-authority.ts';

let authority: Authority;
let server: Awaited<ReturnType<typeof startPostgresServer>>;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'postgres-tls-'));
  authority = makeAuthority();
  const { cert, key } = authority.issue({ names: 'DNS:localhost' });
  writeFileSync(path.join(folder, 'ours.pem'), authority.cert);
  const other = makeAuthority();
  writeFileSync(path.join(folder, 'other.pem'), other.cert);
  other.close();
  server = await startPostgresServer({
    settings: { ssl: 'on' },
    files: { 'server.crt': cert, 'server.key': key },
  });
  url = await server.createDatabase();
});
afterAll(async () => {
  await server.stop();
  authority.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What opening answers: whether TLS was there, or the code of the refusal. */
async function open(host: string, ssl: ExternalDatabase['address']['ssl'], ca?: string) {
  const at = externalAt(url);
  const external: ExternalDatabase = {
    ...at,
    address: { ...at.address, host, ssl },
    caFile: ca === undefined ? undefined : path.join(folder, ca),
  };
  try {
    const store = await openPostgres<DashboardTables>({
      ...{ name: 'dashboard', external, now: () => 0 },
      migrations: fileURLToPath(new URL('../../migrations/dashboard', import.meta.url)),
    });
    await store.close();
    return 'open';
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

test.each([
  ['127.0.0.1', 'require', undefined, 'open'],
  ['127.0.0.1', 'require', 'ours.pem', 'open'],
  ['127.0.0.1', 'require', 'other.pem', 'store_unreachable'],
  ['127.0.0.1', 'verify-ca', 'ours.pem', 'open'],
  ['127.0.0.1', 'verify-ca', 'other.pem', 'store_unreachable'],
  ['127.0.0.1', 'verify-ca', undefined, 'store_unreachable'],
  ['localhost', 'verify-full', 'ours.pem', 'open'],
  ['127.0.0.1', 'verify-full', 'ours.pem', 'store_unreachable'],
  ['localhost', 'verify-full', undefined, 'store_unreachable'],
] as const)('at %s with %s and the authorities %s: %s', async (host, ssl, ca, answer) => {
  expect(await open(host, ssl, ca)).toBe(answer);
});
