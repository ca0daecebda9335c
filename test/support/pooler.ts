// A real PgBouncer on this machine in transaction mode, for tests; Debian has it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, ownedBy, type PostgresOwner, ROLE, unprivileged } from './postgres-server.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const START_LIMIT_MS = 30_000;

/** False where the machine has no PgBouncer: scripts/machine.mjs installs it for whoever is root. */
export const hasPooler = existsSync(PROGRAM);

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts one before a server. Few connections of the server serve all of its clients, so that hardly any
 * client has the same one twice; `settings` are further lines of its file.
 */
export async function startPooler(
  owner: PostgresOwner,
  {
    serverConnections = 4,
    settings = [],
  }: { serverConnections?: number; settings?: string[] } = {},
): Promise<Pooler> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-pooler-'));
  const port = await freePort();
  const file = (name: string, lines: readonly string[]): string => {
    const place = path.join(folder, name);
    writeFileSync(place, `${lines.join('\n')}\n`, { mode: 0o600 });
    ownedBy(place, unprivileged());
    return place;
  };
  ownedBy(folder, unprivileged());
  const log = path.join(folder, 'log');
  const users = file('users', [`"${ROLE}" "${owner.password}"`]);
  const config = file('pooler.ini', [
    ...['[databases]', `* = host=127.0.0.1 port=${owner.port}`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`, 'pool_mode = transaction'],
    ...[`default_pool_size = ${serverConnections}`, 'max_client_conn = 2000', `logfile = ${log}`],
    ...settings,
  ]);
  const child = spawn(PROGRAM, ['-q', config], { ...unprivileged(), stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const until = performance.now() + START_LIMIT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      const why = existsSync(log) ? readFileSync(log, 'utf8') : '';
      await stop();
      throw new Error(`PgBouncer did not start:\n${why}`);
    }
    await sleep(50);
  }
  return { port, stop };
}
