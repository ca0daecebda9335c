import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../server/kernel/log.ts';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { startPlatform } from '../../server/platform/service/service.ts';
import type { PlatformOptions, RunningPlatform } from '../../server/platform/service-options.ts';
import { handlerRegistry, type RegisteredHandler } from '../../server/runtime/handler-registry.ts';
import { systemClock } from '../../server/runtime/system-clock.ts';
import { databases, externalAt, onPostgres } from './chosen-store.ts';

const SPECS = fileURLToPath(new URL('../fixtures/specs', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../migrations/platform', import.meta.url));

/** Keys of every role: `<role>-key`. */
const KEYS = ['admin', 'operator', 'service', 'reviewer', 'viewer']
  .map((role) => `${role}:${role}-key:${role}`)
  .join(';');

/** What an answer holds; tests read answers of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: a schema here would repeat the contract under test
export type Loose = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Loose;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestPlatform {
  readonly service: RunningPlatform;
  readonly url: string;
  readonly file: string;
  readonly logs: LogLine[];
  readonly clock: { skewMs: number };
  call(method: string, route: string, options?: CallOptions): Promise<Answer>;
  get(route: string, options?: CallOptions): Promise<Answer>;
  post(route: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Polls GET /v1/runs/{id} until the status is one of those. */
  waitFor(runId: string, ...statuses: string[]): Promise<Answer>;
  stop(): Promise<void>;
}

export interface TestPlatformOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly handlers?: Readonly<Record<string, RegisteredHandler>>;
  readonly specRoot?: string;
  /** Reopen this store instead of a new one. */
  readonly file?: string;
  readonly role?: PlatformOptions['role'];
  /** Of another version of the program. */
  readonly migrations?: string;
  /** On PostgreSQL: a database of another server. */
  readonly databaseUrl?: string;
  /** Of the connections there, such as `DATABASE_POOL_MAX`, instead of those of the tests. */
  readonly databaseSettings?: Readonly<Record<string, string>>;
  /** On PostgreSQL: the file whose database it shares, from a folder of its own. */
  readonly database?: string;
  readonly trusted?: boolean;
  readonly projects?: PlatformOptions['projects'];
  readonly skewMs?: number;
  /** By how much the clock of its machine is wrong, where `skewMs` is time that passes for all. */
  readonly machineSkewMs?: number;
  /** False: answers are not checked against their schemas, for measurements. */
  readonly checkResponses?: boolean;
  /**
   * True: runs execute in the execution thread, as in the product; else here.
   * SPECWRIGHT_TEST_THREAD=1 makes it the default.
   */
  readonly thread?: boolean;
}

/** Starts a real platform on a free port over a real file; authentication is on unless env says so. */
export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platform-'));
  const file = options.file ?? path.join(folder, 'platform.db');
  const logs: LogLine[] = [];
  const write =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void => {
      logs.push({ level, message, fields });
    };
  const log: Log = { info: write('info'), warn: write('warn'), error: write('error') };
  const clockShift = new SharedArrayBuffer(16);
  const cell = new Float64Array(clockShift);
  const clock = {
    get skewMs(): number {
      return cell[0] ?? 0;
    },
    set skewMs(value: number) {
      cell[0] = value;
    },
  };
  clock.skewMs = options.skewMs ?? 0;
  cell[1] = options.machineSkewMs ?? 0;
  const external = onPostgres
    ? externalAt(
        options.databaseUrl ?? (await databases.of(options.database ?? file)),
        options.databaseSettings,
      )
    : undefined;
  const asked: PlatformOptions = {
    config: {
      ...readPlatformConfig({ SERV_API_KEYS: KEYS, ...options.env }),
      ...(external === undefined ? {} : { external }),
    },
    host: '127.0.0.1',
    port: 0,
    databaseFile: file,
    migrationsDir: options.migrations ?? MIGRATIONS,
    specRoot: options.specRoot ?? SPECS,
    trusted: options.trusted ?? false,
    projects: options.projects,
    extraKeys: [],
    requireKey: false,
    handlers: handlerRegistry(options.handlers),
    clock: systemClock(clockShift),
    clockShift,
    ids: { uuid: () => randomUUID(), hex: () => randomUUID().replaceAll('-', '') },
    log,
    checkResponses: options.checkResponses ?? true,
    role: options.role ?? 'all',
    executionThread: options.thread ?? process.env['SPECWRIGHT_TEST_THREAD'] === '1',
  };
  // SPECWRIGHT_TEST_APART=1: one node answers and executes nothing, another executes.
  const isApart = options.role === undefined && process.env['SPECWRIGHT_TEST_APART'] === '1';
  const worker = isApart ? await startPlatform({ ...asked, role: 'worker' }) : undefined;
  const service = await startPlatform(isApart ? { ...asked, role: 'api' } : asked);
  const call = async (
    method: string,
    route: string,
    callOptions: CallOptions = {},
  ): Promise<Answer> => {
    const key = callOptions.key === undefined ? 'admin-key' : callOptions.key;
    const body =
      callOptions.raw ??
      (callOptions.body === undefined ? undefined : JSON.stringify(callOptions.body));
    const response = await fetch(`${service.url}${route}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...callOptions.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  const get = (route: string, more?: CallOptions) => call('GET', route, more);
  return {
    service,
    url: service.url,
    file,
    logs,
    clock,
    call,
    get,
    post: (route, body, more) => call('POST', route, { ...more, body }),
    async waitFor(runId, ...statuses) {
      const until = Date.now() + 120_000;
      for (;;) {
        const answer = await get(`/v1/runs/${runId}`);
        if (statuses.includes(answer.body.status)) return answer;
        if (Date.now() > until) throw new Error(`run stayed ${answer.body.status}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async stop() {
      await Promise.all([service.stop(), worker?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A real platform that asks for no key, as one behind a studio of the same machine may. */
export function startOpenPlatform(): Promise<TestPlatform> {
  return startTestPlatform({ env: { SERV_API_KEYS: '' } });
}
