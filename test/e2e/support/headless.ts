import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from '@playwright/test';

const root = path.resolve(import.meta.dirname, '../../..');

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

/** `specwright serve` as a child process. */
export interface Headless {
  readonly urls: ReadyLine;
  /** What the services' own listeners ask of a caller. */
  readonly headers: Readonly<Record<string, string>>;
  /** The one-time link of this start. */
  readonly link: string;
  /** Everything it wrote on standard output so far. */
  readonly output: () => string;
  /** Sends a signal and waits for the end; answers the exit code (null after a kill). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface HeadlessOptions {
  /** Holds all state; the same folder again is a second start. */
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const FREE_PORTS = ['gateway', 'platform', 'dashboard', 'studio'].flatMap((name) => [
  `--${name}-port`,
  '0',
]);

/** A test that fails before its stop leaves nothing running. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function whenEnded(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running.add(child);
  child.once('exit', (code) => {
    running.delete(child);
    resolve(code);
  });
  return promise;
}

function isReadyLine(value: unknown): value is ReadyLine {
  return typeof value === 'object' && value !== null && 'ready' in value && 'gateway' in value;
}

function credentialOf({ key_file }: ReadyLine): Record<string, string> {
  return key_file === undefined
    ? {}
    : { authorization: `Bearer ${readFileSync(key_file, 'utf8').trim()}` };
}

/** Starts the built command line and waits until every listener answers. */
export async function serveHeadless(options: HeadlessOptions): Promise<Headless> {
  const child = spawn(
    path.join(root, 'node_modules/.bin/node'),
    [
      path.join(root, 'out/main/server.mjs'),
      ...['serve', '--data', options.folder, ...FREE_PORTS, ...(options.args ?? [])],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } },
  );
  const ended = whenEnded(child);
  let output = '';
  let log = '';
  const ready = Promise.withResolvers<ReadyLine>();
  const link = Promise.withResolvers<string>();
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
  void ended.then((code) => {
    const error = new Error(`serve ended with ${code}: ${log}`);
    ready.reject(error);
    link.reject(error);
  });
  const [urls, address] = await Promise.all([ready.promise, link.promise]);
  return {
    urls,
    headers: credentialOf(urls),
    link: address,
    output: () => output,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** A browser on this machine: SPECWRIGHT_CHROMIUM, the distribution's, or Playwright's own. */
export async function openChromium(): Promise<Browser> {
  const places = [
    process.env['SPECWRIGHT_CHROMIUM'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
