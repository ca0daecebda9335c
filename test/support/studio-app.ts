import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExternalDatabase } from '../../server/contract/database.ts';
import type { RunningStudio } from '../../server/host/service-doors.ts';
import type { Clock } from '../../server/kernel/clock.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import type { OpenedProject } from '../../server/studio/host/open-folder.ts';
import { type StudioOptions, startStudio } from '../../server/studio/service.ts';
import { askStore, externalAt, onPostgres, type StoredRow, TestDatabases } from './chosen-store.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Answer of a call: status, headers and parsed body. */
export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  body: any;
  text: string;
}

/** A studio over a real store and real trees in a temporary folder. */
export interface StudioUnderTest {
  readonly folder: string;
  readonly root: string;
  readonly url: string;
  readonly clock: { ms: number };
  /** The database that holds the state instead of a file, in the vitest project `postgres`. */
  readonly external: ExternalDatabase | undefined;
  /** Runs one statement on the store, beside the studio; values stand for each `?`. */
  rows(statement: string, ...values: readonly unknown[]): Promise<StoredRow[]>;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered>;
  /** As the shell of this computer asks. */
  openFolder(folder: string): Promise<OpenedProject>;
  /** Stops and starts again over the same data; the address changes. */
  restart(change?: Partial<StudioOptions>): Promise<void>;
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startStudioUnderTest(
  platformUrl: string,
  change: Partial<StudioOptions> = {},
  env: Record<string, string> = {},
): Promise<StudioUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'studio-'));
  const root = path.join(folder, 'tree');
  mkdirSync(root);
  const state = { ms: Date.UTC(2026, 10, 21, 12) };
  const clock: Clock = {
    now: () => {
      state.ms += 1;
      return state.ms;
    },
  };
  const databases = new TestDatabases('studio');
  const databaseFile = path.join(folder, 'state', 'studio.db');
  const external = onPostgres ? externalAt(await databases.of(databaseFile)) : undefined;
  const start = (options: StudioOptions) =>
    startStudio({
      ...options,
      config: { ...options.config, external: options.config.external ?? external },
    });
  const options: StudioOptions = {
    config: readStudioConfig(env),
    host: '127.0.0.1',
    port: 0,
    databaseFile,
    stateDir: path.join(folder, 'state'),
    migrationsDir: fileURLToPath(new URL('../../migrations/studio', import.meta.url)),
    workspaceBase: path.join(folder, 'projects'),
    projectRoot: root,
    trusted: true,
    platform: { url: platformUrl },
    clock,
    ids: { uuid: () => randomUUID(), hex: () => randomUUID().replaceAll('-', '') },
    log: silent,
    appVersion: '0.1.0',
    checkResponses: true,
    ...change,
  };
  let running: RunningStudio | undefined = await start(options);
  const under: StudioUnderTest = {
    folder,
    root,
    get url() {
      return running?.url ?? '';
    },
    clock: state,
    external,
    rows: (statement, ...values) => askStore(external ?? databaseFile, statement, ...values),
    async call(method, target, body, headers = {}) {
      const response = await fetch(`${running?.url}${target}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
      });
      const text = await response.text();
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        parsed = undefined;
      }
      return { status: response.status, headers: response.headers, body: parsed, text };
    },
    openFolder(folder) {
      if (running === undefined) throw new Error('the studio does not run');
      return running.openFolder(folder);
    },
    async restart(more = {}) {
      await running?.stop();
      running = await start({ ...options, ...more });
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async dispose() {
      await under.stop();
      await databases.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return under;
}
