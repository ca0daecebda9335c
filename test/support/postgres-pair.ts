// A primary and the standby that follows it, as teams run them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type PostgresOwner,
  type PostgresServer,
  SUPERUSER,
  startPostgresServer,
} from './postgres-server.ts';

export interface PostgresPair {
  readonly primary: PostgresServer & PostgresOwner;
  readonly standby: PostgresServer & PostgresOwner;
  /** The standby follows nobody any more, and takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both; a commit is answered once the standby has it. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = mkdtempSync(path.join(tmpdir(), 'standby-'));
  const data = path.join(folder, 'data');
  const primary = await startPostgresServer({
    durable: true,
    made(own) {
      // With its owner; the log of writes, which is a link, as a folder of its own.
      const copied = spawnSync('cp', ['-aL', own, data], { encoding: 'utf8' });
      if (copied.status !== 0) throw new Error(copied.stderr);
    },
  });
  const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${primary.password}`;
  const standby = await startPostgresServer({
    durable: true,
    copyOf: { data, password: primary.password },
    files: { 'standby.signal': '' },
    settings: { primary_conninfo: from },
  });
  rmSync(folder, { recursive: true });
  await primary.asOwner(
    "ALTER SYSTEM SET synchronous_standby_names = '*'",
    'SELECT pg_reload_conf()',
  );
  return {
    primary,
    standby,
    promote: () => standby.asOwner('SELECT pg_promote()'),
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
