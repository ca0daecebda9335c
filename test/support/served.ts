// `specwright serve` from the sources, in a process of its own on free ports.
import type { ChildProcess } from 'node:child_process';
import type { Cli } from './cli.ts';
import { FREE_PORTS, type ReadyLine, readServeStart } from './serve-start.ts';

export interface Served {
  readonly ready: ReadyLine;
  readonly child: ChildProcess;
  /** The one-time link that it printed. */
  link(): Promise<string>;
  /** Everything on standard error so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts it and waits until every listener answers; a refused start rejects with what it said. */
export async function serve(cli: Cli, words: readonly string[] = []): Promise<Served> {
  const child = cli.start(['serve', ...FREE_PORTS, ...words]);
  const start = readServeStart(child);
  return {
    ready: await start.ready,
    child,
    link: () => start.link,
    log: start.log,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return start.ended;
    },
  };
}
