// `specwright serve` from the sources, in a process of its own on free ports.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Cli } from './cli.ts';

export interface ReadyLine {
  readonly ready: true;
  readonly gateway: string;
  readonly platform: string;
  readonly dashboard: string;
  readonly studio: string;
  readonly pid: number;
  readonly key_file?: string;
}

export interface Served {
  readonly ready: ReadyLine;
  readonly child: ChildProcess;
  /** The one-time link that it printed. */
  link(): Promise<string>;
  /** Everything on standard error so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export const FREE_PORTS = ['gateway', 'platform', 'dashboard', 'studio'].flatMap((name) => [
  `--${name}-port`,
  '0',
]);

function isReadyLine(value: unknown): value is ReadyLine {
  return typeof value === 'object' && value !== null && 'ready' in value && 'gateway' in value;
}

/** Starts it and waits until every listener answers; a refused start rejects with what it said. */
export async function serve(cli: Cli, words: readonly string[] = []): Promise<Served> {
  const child = cli.start(['serve', ...FREE_PORTS, ...words]);
  const ended = once(child, 'close');
  const ready = Promise.withResolvers<ReadyLine>();
  const link = Promise.withResolvers<string>();
  link.promise.catch(() => undefined);
  let log = '';
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value: unknown = JSON.parse(line);
    if (isReadyLine(value)) ready.resolve(value);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    log += `${line}\n`;
    const found = /http:\S+\/sign-in\?code=\S+/.exec(line)?.[0];
    if (found !== undefined) link.resolve(found);
  });
  void ended.then(([code]) => {
    const error = new Error(`serve ended with ${code}: ${log}`);
    ready.reject(error);
    link.reject(error);
  });
  return {
    ready: await ready.promise,
    child,
    link: () => link.promise,
    log: () => log,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await ended;
      return typeof code === 'number' ? code : null;
    },
  };
}
