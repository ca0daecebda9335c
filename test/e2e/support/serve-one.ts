import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from './children.ts';
import { BUILT, type CommandLine } from './headless.ts';

/** One service that runs by itself, as a child process. */
export interface Alone {
  readonly url: string;
  /** What its listener asks for. */
  readonly key: string;
  readonly pid: number;
  /** Asks it to end and waits until it has; `SIGKILL` does not ask. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface AloneOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Any free one when absent. */
  readonly port?: number;
  /** Another command line than the one built here. */
  readonly program?: CommandLine;
  readonly cwd?: string;
  /** The number of the user that it runs as. */
  readonly user?: number;
}

/** Runs words of the command line that serve one service, until the tests end. */
export function serveAlone(
  folder: string,
  words: readonly string[],
  options: AloneOptions = {},
): Promise<Alone> {
  const { env, port = 0, program = BUILT, cwd, user } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Alone>();
  const child = endWithTests(
    spawn(program.node, [program.entry, ...words, '--data', folder, '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(user === undefined ? {} : { uid: user, gid: user }),
      env: { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'config'), ...env },
    }),
  );
  let url: string | undefined;
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    url ??= line;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    said += `${line}\n`;
    const file = /the key that (\S+) holds/.exec(line)?.[1];
    if (file === undefined || url === undefined) return;
    const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    };
    resolve({ url, key: readFileSync(file, 'utf8').trim(), pid: child.pid ?? 0, stop });
  });
  child.once('close', (code) =>
    reject(new Error(`${words.join(' ')} ended with ${code}: ${said}`)),
  );
  return promise;
}
