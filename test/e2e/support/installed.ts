import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect } from '@playwright/test';
import { endWithTests } from './children.ts';
import { type DebianRoot, PERSON } from './debian-root.ts';
import { type Workbench, workbench } from './desktop.ts';
import { UNSEEN } from './screens.ts';
import type { Surface } from './story.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Makes packages quickly, with another version where one is given; answers the folder. */
export function makePackages(name: string, only: string, version?: string): string {
  const folder = path.join(root, 'test-results', name);
  const words = ['--fast', '--only', only, '--output', folder];
  const made = spawnSync(
    path.join(root, 'node_modules/.bin/node'),
    [
      path.join(root, 'scripts/package.mjs'),
      ...words,
      ...(version === undefined ? [] : ['--set-version', version]),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`packaging failed:\n${made.stdout}\n${made.stderr}`);
  return folder;
}

/** The package with an ending in a folder. */
export function packageIn(folder: string, ending: string): string {
  const name = readdirSync(folder).find((one) => one.endsWith(ending));
  if (name === undefined) throw new Error(`there is no ${ending} in ${folder}`);
  return path.join(folder, name);
}

interface Started {
  readonly child: ChildProcess;
  /** What it printed so far on standard output. */
  output(): string;
  /** Ends it as the system does; gives the code. */
  stop(): Promise<number | null>;
}

/** Starts a program as the person; it is told to end by its number in there. */
export function startAsPerson(debian: DebianRoot, words: readonly string[]): Started {
  const note = `/tmp/started-${process.hrtime.bigint()}`;
  const [command, ...rest] = debian.asPerson([
    ...['/bin/sh', '-c', `echo $$ > ${note}; exec "$0" "$@"`],
    ...words,
  ]);
  let printed = '';
  const child = endWithTests(spawn(command, rest, { stdio: ['ignore', 'pipe', 'ignore'] }));
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    output: () => printed,
    stop() {
      debian.run(`kill -TERM "$(cat ${note})"`);
      return ended;
    },
  };
}

/** The window in a Debian system of its own. */
export interface InstalledWindow extends Workbench {
  readonly surface: Surface;
  /** What the program was started with beside the switches, as a person starts it once more. */
  again(...words: string[]): void;
  close(): Promise<void>;
}

const DATA = path.join(PERSON.home, '.config/Specwright');

/** Opens the window as the person does: without switches but those that let it be driven. */
export async function openInstalled(
  debian: DebianRoot,
  program: readonly string[],
): Promise<InstalledWindow> {
  const portFile = debian.outside(path.join(DATA, 'DevToolsActivePort'));
  rmSync(portFile, { force: true });
  const started = startAsPerson(debian, [
    ...program,
    ...['--disable-gpu', '--remote-debugging-port=0'],
  ]);
  const readPort = () => /^\d+\n/.exec(readFileSync(portFile, 'utf8'))?.[0].trim();
  await expect(() => expect(readPort()).toBeDefined()).toPass({ timeout: 60_000 });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readPort()}`);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the installed application has no window');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  const again = (...words: string[]) => {
    const [command, ...rest] = debian.asPerson([...program, ...words]);
    execFileSync(command, rest, { stdio: 'ignore', timeout: 30_000 });
  };
  return {
    ...workbench(page),
    again,
    surface: {
      page,
      screen: UNSEEN,
      name: 'installed',
      folder: debian.outside(DATA),
      async importFile(file) {
        const name = path.basename(file);
        execFileSync('install', ['-m', '644', file, debian.outside(path.join(PERSON.home, name))]);
        // As a file manager does.
        again(name);
      },
      async saveExport(press) {
        await press();
        const target = path.join(PERSON.home, 'exported.yaml');
        saveInDialog(target);
        await expect(page.getByTestId('export-text')).toBeHidden();
        return readFileSync(debian.outside(target), 'utf8');
      },
    },
    async close() {
      await browser.close();
      await started.stop();
    },
  };
}

/** Types a path into the system's own dialog, with the keyboard of the display. */
function saveInDialog(file: string): void {
  const xdotool = (...words: string[]) =>
    execFileSync('xdotool', words, { encoding: 'utf8', timeout: 20_000 });
  const found = xdotool('search', '--sync', '--onlyvisible', '--name', '^(Save|Export)');
  const dialog = found.trim().split('\n').at(-1) ?? '';
  xdotool('windowfocus', '--sync', dialog);
  xdotool('key', '--clearmodifiers', 'ctrl+a');
  xdotool('type', '--delay', '5', file);
  xdotool('key', 'Return');
}
