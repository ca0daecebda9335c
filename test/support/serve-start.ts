// What `specwright serve` says as it starts, whichever way it was started.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ReadyLine {
  readonly ready: true;
  readonly gateway: string;
  readonly platform: string;
  readonly dashboard: string;
  readonly studio: string;
  readonly pid: number;
  /** Absent with `--open`. */
  readonly key_file?: string;
}

export interface ServeStart {
  /** Every listener answers; a start that was refused rejects with what it said. */
  readonly ready: Promise<ReadyLine>;
  /** The one-time link that it printed. */
  readonly link: Promise<string>;
  /** The exit code; null after a kill. */
  readonly ended: Promise<number | null>;
  /** Everything on standard output so far. */
  output(): string;
  /** Everything on standard error so far. */
  log(): string;
}

export const FREE_PORTS = ['gateway', 'platform', 'dashboard', 'studio'].flatMap((name) => [
  `--${name}-port`,
  '0',
]);

function isReadyLine(value: unknown): value is ReadyLine {
  return typeof value === 'object' && value !== null && 'ready' in value && 'gateway' in value;
}

/** Reads along with a service that was just started. */
export function readServeStart(child: ChildProcess): ServeStart {
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const ready = Promise.withResolvers<ReadyLine>();
  const link = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number | null>();
  // Whoever does not ask for the link has no use for its failure.
  link.promise.catch(() => undefined);
  let output = '';
  let log = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const value: unknown = JSON.parse(line);
    if (isReadyLine(value)) ready.resolve(value);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    log += `${line}\n`;
    const found = /http:\S+\/sign-in\?code=\S+/.exec(line)?.[0];
    if (found !== undefined) link.resolve(found);
  });
  child.once('close', (code) => {
    const error = new Error(`serve ended with ${code}: ${log}`);
    ready.reject(error);
    link.reject(error);
    ended.resolve(code);
  });
  return {
    ready: ready.promise,
    link: link.promise,
    ended: ended.promise,
    output: () => output,
    log: () => log,
  };
}
