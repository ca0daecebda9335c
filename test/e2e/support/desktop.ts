import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  type ElectronApplication,
  _electron as electron,
  expect,
  type Page,
} from '@playwright/test';
import type { ServicesState } from '../../../preload/desktop-api.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The workbench in a window of the shell. */
export interface Workbench {
  readonly page: Page;
  /** Errors that the page reported so far; expected ones are for the test to filter. */
  readonly errors: readonly string[];
  services(): Promise<ServicesState>;
  /** Waits until the services answer; gives their state. */
  ready(): Promise<ServicesState>;
}

/** The real window with services of its own. */
export interface Desktop extends Workbench {
  readonly app: ElectronApplication;
  /** Answers the next open dialogs of the system with these files. */
  chooseFiles(...files: string[]): Promise<void>;
  /** Answers the next save dialogs of the system with this path. */
  saveAs(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface DesktopOptions {
  /** Holds the profile and all state; the same folder again is a second start. */
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The Electron that runs the window. */
export function executable(): string {
  const given = process.env['SPECWRIGHT_ELECTRON'];
  if (given === undefined)
    throw new Error('run through scripts/test-e2e.mjs, which finds Electron');
  return given;
}

/** This process's environment without what would start Electron as a Node. */
export function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && name !== 'ELECTRON_RUN_AS_NODE') env[name] = value;
  }
  return { ...env, ...extra };
}

/** Reads the services' state through the bridge of the page. */
export function workbench(page: Page): Workbench {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const services = () =>
    page.evaluate(async () => {
      const bridge = (window as { specwright?: { services(): Promise<ServicesState> } }).specwright;
      if (bridge === undefined) throw new Error('the page has no bridge');
      return bridge.services();
    });
  return {
    page,
    errors,
    services,
    async ready() {
      await expect.poll(async () => (await services()).phase, { timeout: 30_000 }).toBe('ready');
      return services();
    },
  };
}

/** The switches under which a window opens on any machine, its profile in `folder`. */
export function windowSwitches(folder: string): string[] {
  const asRoot = process.getuid?.() === 0;
  return [...(asRoot ? ['--no-sandbox'] : []), '--disable-gpu', `--user-data-dir=${folder}`];
}

/** Opens the window. */
export async function openDesktop(options: DesktopOptions): Promise<Desktop> {
  const app = await electron.launch({
    executablePath: executable(),
    args: [root, ...windowSwitches(options.folder), ...(options.args ?? [])],
    // The person's list of trusted folders stands in the configuration folder.
    env: environment({ XDG_CONFIG_HOME: path.join(options.folder, 'config'), ...options.env }),
  });
  return {
    app,
    ...workbench(await app.firstWindow()),
    async chooseFiles(...files) {
      await app.evaluate(({ dialog }, paths) => {
        dialog.showOpenDialog = async () => ({ canceled: paths.length === 0, filePaths: paths });
      }, files);
    },
    async saveAs(file) {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, file);
    },
    close: () => app.close(),
  };
}

/** Starts the program once more on the same profile, which hands over its words and ends. */
export async function startAgain(folder: string, ...words: string[]): Promise<void> {
  const child = spawn(executable(), [root, ...windowSwitches(folder), ...words], {
    env: environment(),
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}
