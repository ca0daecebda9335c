// Nodes of a platform as processes of their own on one database, to be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./team-process.ts', import.meta.url));

export interface TeamNode {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it as a lost machine does. */
  kill(): Promise<void>;
}

export interface TeamOptions {
  /** Of the database that the nodes share, unless its address is given. */
  readonly database?: string;
  readonly databaseUrl?: string;
  /** How long a step takes, in milliseconds. */
  readonly stepMs?: number;
  /** Where effects of runs are noted. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly role?: 'api' | 'worker' | 'all' | undefined;
  /** A trusted folder of functions. */
  readonly project?: string;
  /** Of the node's own data, to be found again by the next one. */
  readonly file?: string;
  /** Of another version of the program. */
  readonly migrations?: string;
}

/** Starts a node; it lives until it is killed. */
export async function startNode({
  database = '',
  databaseUrl,
  stepMs,
  folder,
  env = {},
  role = 'all',
  project,
  file,
  migrations,
}: TeamOptions): Promise<TeamNode> {
  const words = [database, path.join(folder, 'effects'), role, JSON.stringify(env)];
  const own = project === undefined ? {} : { specRoot: project, trusted: true };
  // Whoever works on another server than the run's has the settings of the product.
  const there = databaseUrl === undefined ? {} : { databaseUrl, databaseSettings: {} };
  words.push(JSON.stringify({ ...own, ...there, file, migrations, stepMs }));
  const child = spawn(process.execPath, [SCRIPT, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('a node ended before it answered');
  });
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return {
    url: line.toString().trim(),
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
