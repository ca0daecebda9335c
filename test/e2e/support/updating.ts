import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect } from '@playwright/test';
import { endWithTests } from './children.ts';
import { environment, type Workbench, windowSwitches, workbench } from './desktop.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Packs the program so that it believes a place of updates and its key; answers the folder. */
export function packWithFeed(output: string, url: string, keyFile: string): string {
  const words = ['--only', 'dir', '--output', output, '--update-url', url, '--update-key', keyFile];
  const node = path.join(root, 'node_modules/.bin/node');
  execFileSync(node, [path.join(root, 'scripts/package.mjs'), ...words], { cwd: root });
  const arch = process.arch === 'x64' ? '' : `${process.arch}-`;
  return path.join(output, `linux-${arch}unpacked`);
}

/**
 * The same program as another version of the same length, with one more migration of the studio. What
 * does not differ is the same file on the disk.
 */
export function nextVersion(program: string, target: string, version: string, sql: string): void {
  execFileSync('cp', ['-al', program, target]);
  const unpacked = path.join(target, 'resources/app.asar.unpacked');
  const manifest = path.join(unpacked, 'package.json');
  const text = readFileSync(manifest, 'utf8').replace(/"version":\s*"[^"]+"/, (found) =>
    found.replace(/"[^"]+"$/, `"${version}"`),
  );
  const migration = path.join(unpacked, 'migrations/studio/9001_next.sql');
  rmSync(manifest);
  writeFileSync(manifest, text);
  writeFileSync(migration, sql);
}

/** A folder as a tar.gz that is not packed small: that would take the longest. */
export function tarOf(folder: string, file: string): Buffer {
  const { base, dir } = path.parse(folder);
  execFileSync('tar', ['--use-compress-program=gzip -1', '-cf', file, '-C', dir, base]);
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}

export interface UpdatingWindow extends Workbench {
  readonly process: number;
  /** Ends it as the system does; waits until it is gone. */
  quit(): Promise<void>;
  /** As a power cut. */
  kill(): Promise<void>;
}

function processOf(profile: string): number | undefined {
  try {
    return Number(readlinkSync(path.join(profile, 'SingletonLock')).split('-').at(-1));
  } catch {
    // Nobody has the profile.
    return undefined;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

const gone = (id: number) => expect.poll(() => isAlive(id), { timeout: 30_000 }).toBe(false);

/** Waits for a window of the profile that is not `before`, and drives it. */
export async function attach(profile: string, before?: number): Promise<UpdatingWindow> {
  await expect
    .poll(
      () => {
        const id = processOf(profile);
        return id !== undefined && id !== before && isAlive(id);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  const id = processOf(profile) ?? 0;
  const connect = async () => {
    const text = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8');
    return chromium.connectOverCDP(`http://127.0.0.1:${text.split('\n')[0]}`, { timeout: 5_000 });
  };
  let browser = await connect().catch(() => undefined);
  await expect(async () => {
    browser ??= await connect();
    expect(browser.contexts()[0]?.pages()[0]).toBeDefined();
  }).toPass({ timeout: 60_000 });
  const page = browser?.contexts()[0]?.pages()[0];
  if (browser === undefined || page === undefined) throw new Error('the program has no window');
  const driven = browser;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await driven.close().catch(() => undefined);
    process.kill(id, signal);
    await gone(id);
  };
  return {
    ...workbench(page),
    process: id,
    quit: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Opens the window as a person starts it. */
export async function openAt(launcher: string, profile: string): Promise<UpdatingWindow> {
  rmSync(path.join(profile, 'DevToolsActivePort'), { force: true });
  const before = processOf(profile);
  const words = [...windowSwitches(profile), '--remote-debugging-port=0'];
  endWithTests(
    spawn(launcher, words, {
      stdio: 'ignore',
      env: environment({ XDG_CONFIG_HOME: path.join(profile, 'config') }),
    }),
  );
  return attach(profile, before);
}
