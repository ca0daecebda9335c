// The world that the tests of the platform's settings share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from './platform.ts';
import { TINY } from './specs.ts';
import { openStored } from './stored.ts';

export const DAY_MS = 86_400_000;

export function steps(...kinds: readonly ('agent' | 'function' | 'human')[]) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: kinds.map((kind, index) => ({ id: `s${index}`, kind, ref: kind })),
    },
    components: {
      agents: { agent: { name: 'agent' } },
      functions: { function: { implementation: 'work.wait' } },
      humans: { human: { description: 'Ok?', timeout_seconds: 1 } },
    },
  };
}

export let folder: string;
let file: string;
const opened: TestPlatform[] = [];
export let release: () => void;
let released: Promise<void>;
export async function open(env: Record<string, string>, more: Loose = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', ...env },
    handlers: {
      'work.wait': async () => {
        await released;
        return 'waited';
      },
    },
    file,
    ...more,
  });
  opened.push(platform);
  return platform;
}

export function run(p: TestPlatform, over: Loose = {}) {
  return p.post('/v1/runs', { input: 'x', spec: TINY, ...over });
}

export async function rows(sql: string): Promise<Loose[]> {
  const db = await openStored(file);
  try {
    return db.prepare<[], Loose>(sql).all();
  } finally {
    await db.close();
  }
}

/** Each test of the file that calls this gets a store of its own. */
export function freshStores(): void {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
    file = path.join(folder, 'platform.db');
    ({ promise: released, resolve: release } = Promise.withResolvers<void>());
  });
  afterEach(async () => {
    release();
    for (const platform of opened.splice(0)) await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Platforms that the test opens from now on use another store than those before. */
export function useOtherStore(): void {
  file = path.join(folder, 'other.db');
}
