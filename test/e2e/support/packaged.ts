import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect } from '@playwright/test';
import { endWithTests } from './children.ts';
import { environment, type Workbench, windowSwitches, workbench } from './desktop.ts';
import type { CommandLine } from './headless.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The application as a person has it after installing. */
export interface PackagedApp {
  readonly executable: string;
  /** What a person types: it opens the window or runs a command. */
  readonly command: string;
  /** The Node that it brings along, and its command line. */
  readonly program: CommandLine;
}

/**
 * Packages what is built into `folder`, by `npm run package`: around the runtime that the windows of the
 * tests have, so that nothing is downloaded.
 */
export function packageInto(folder: string): PackagedApp {
  const made = spawnSync(
    path.join(root, 'node_modules/.bin/node'),
    [path.join(root, 'scripts/package.mjs'), '--only', 'dir', '--output', folder],
    { cwd: root, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`packaging failed:\n${made.stdout}\n${made.stderr}`);
  const arch = process.arch === 'x64' ? '' : `${process.arch}-`;
  const unpacked = path.join(folder, `linux-${arch}unpacked`);
  const resources = path.join(unpacked, 'resources');
  return {
    executable: path.join(unpacked, 'specwright-window'),
    command: path.join(unpacked, 'specwright'),
    program: {
      node: path.join(resources, 'node/node'),
      entry: path.join(resources, 'app.asar.unpacked/out/main/server.mjs'),
    },
  };
}

/** An environment in which no program is found by its name: a machine without Node. */
export function withoutPrograms(folder: string): Record<string, string> {
  const empty = path.join(folder, 'no-programs');
  mkdirSync(empty, { recursive: true });
  return {
    PATH: empty,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
  };
}

export interface PackagedWindow extends Workbench {
  close(): Promise<void>;
}

export interface PackagedOptions {
  /** Holds the profile and all state. */
  readonly folder: string;
  readonly args?: readonly string[];
}

/**
 * Opens the packaged window on a machine without Node. Its fuses close the inspector of the main
 * process, so that only its page is driven, over the browser's own port.
 */
export async function openPackaged(
  app: PackagedApp,
  { folder, args = [] }: PackagedOptions,
): Promise<PackagedWindow> {
  const child = endWithTests(
    spawn(app.executable, [...windowSwitches(folder), '--remote-debugging-port=0', ...args], {
      stdio: 'ignore',
      env: environment(withoutPrograms(folder)),
    }),
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const portFile = path.join(folder, 'DevToolsActivePort');
  const readPort = () => /^\d+\n/.exec(readFileSync(portFile, 'utf8'))?.[0].trim();
  await expect(() => expect(readPort()).toBeDefined()).toPass({ timeout: 30_000 });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readPort()}`);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the packaged application has no window');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  return {
    ...workbench(page),
    async close() {
      await browser.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
