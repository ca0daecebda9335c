import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { FREE_PORTS, type ReadyLine, readServeStart } from '../../support/serve-start.ts';
import { endWithTests } from './children.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The command line: the program that runs it, and its bundle. */
export interface CommandLine {
  readonly node: string;
  readonly entry: string;
}

/** The command line as it is built here. */
export const BUILT: CommandLine = {
  node: path.join(root, 'node_modules/.bin/node'),
  entry: path.join(root, 'out/main/server.mjs'),
};

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
  /** Another command line than the one built here. */
  readonly program?: CommandLine;
}

function credentialOf({ key_file }: ReadyLine): Record<string, string> {
  return key_file === undefined
    ? {}
    : { authorization: `Bearer ${readFileSync(key_file, 'utf8').trim()}` };
}

/** Starts the built command line and waits until every listener answers. */
export async function serveHeadless(options: HeadlessOptions): Promise<Headless> {
  const { node, entry } = options.program ?? BUILT;
  const words = ['serve', '--data', options.folder, ...FREE_PORTS, ...(options.args ?? [])];
  const child = endWithTests(
    spawn(node, [entry, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        XDG_CONFIG_HOME: path.join(options.folder, 'config'),
        ...options.env,
      },
    }),
  );
  const start = readServeStart(child);
  const [urls, address] = await Promise.all([start.ready, start.link]);
  return {
    urls,
    headers: credentialOf(urls),
    link: address,
    output: start.output,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return start.ended;
    },
  };
}

/**
 * A browser on this machine: SPECWRIGHT_CHROMIUM, the distribution's, or Playwright's own. `names` says
 * where names lead, and that the certificates there are nobody's to judge.
 */
export async function openChromium(names?: string): Promise<Browser> {
  const places = [
    process.env['SPECWRIGHT_CHROMIUM'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--disable-gpu',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(names === undefined
        ? []
        : [`--host-resolver-rules=${names}`, '--ignore-certificate-errors']),
    ],
  });
}
