import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { isObject } from '../kernel/json.ts';
import { endGroup, endGuard, guardedCommand, signalGroup } from './guarded-process.ts';
import type { Fence } from './project-fence.ts';
import type { ProjectFunction } from './project-functions.ts';
import { EffectFailure } from './run-effects.ts';

/** Limits of one call of project code. */
export interface ProjectCallLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Bytes of the JSON that the code may give back. */
  readonly maxResultBytes: number;
}

/**
 * Runs in the child: reads calls from a channel that user output cannot reach and answers there. It
 * calls itself clean when a call left no timer, socket or heap behind; only then is it called again.
 */
const RUNNER = `
import { Socket } from 'node:net';
import { registerHooks } from 'node:module';
const { parse, stringify } = JSON;
for (const name of ['kill', '_kill']) {
  const signal = process[name].bind(process);
  const value = (pid, sort) => {
    if (pid !== process.pid) throw new Error('project code may not signal other processes');
    return signal(pid, sort);
  };
  Object.defineProperty(process, name, { value, writable: false, configurable: false });
}
const packages = process.argv[2];
if (packages !== undefined) {
  const resolve = (name, context, next) => {
    try {
      return next(name, context);
    } catch (error) {
      if (/^(?:[./#]|[a-z]+:)/.test(name)) throw error;
      return next(name, { ...context, parentURL: packages });
    }
  };
  registerHooks({ resolve });
}
const channel = new Socket({ fd: 3, readable: true, writable: true });
const halfLimit = Number(process.argv[1]) * 512 * 1024;
const resources = () => process.getActiveResourcesInfo().length;
const idle = resources();
const textOf = (error) => (error instanceof Error ? error.message : String(error));
const textOfCall = async ({ url, name, args }) => {
  const target = (await import(url))[name];
  if (typeof target !== 'function') throw new TypeError("the file exports no function '" + name + "'");
  return stringify((await target(...args)) ?? null) ?? 'null';
};
let broken = false;
const send = (answer) => new Promise((sent) => channel.write(answer + '\\n', sent));
const failed = (error, clean) => stringify({ ok: false, message: textOf(error), clean });
const clean = () => resources() <= idle && process.memoryUsage().heapUsed < halfLimit;
const take = async (line) => {
  let answer;
  try {
    const value = await textOfCall(parse(line));
    answer = () => '{"ok":true,"clean":' + clean() + ',"value":' + value + '}';
  } catch (error) {
    answer = () => failed(error, clean());
  }
  // A promise that failed unseen speaks before the call counts as over.
  await new Promise((next) => setImmediate(next));
  if (!broken) await send(answer());
};
process.on('uncaughtException', (error) => {
  broken = true;
  send(failed(error, false)).then(() => process.exit(1));
});
let parts = [];
channel.setEncoding('utf8');
channel.on('data', (text) => {
  const end = text.indexOf('\\n');
  if (end === -1) return parts.push(text);
  const line = parts.join('') + text.slice(0, end);
  parts = [text.slice(end + 1)];
  void take(line);
});
channel.on('close', () => process.exit(0));
`;

const MAX_CALLS = 1000;
const STREAMS = ['ignore', 'ignore', 'ignore', 'pipe'] as const;

/** What a Node without any work counts as writable memory, most of it never touched. */
const IDLE_NODE_MB = 768;

/** Since Node 25 the network is a permission; SQLite would open files past all permissions. */
const KNOWN_SWITCHES = ['--allow-net', '--no-experimental-sqlite'].filter((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);

/** What code may read, and where it finds packages. */
export interface CodePlaces {
  /** Its `functions/` folder. */
  readonly folder: string;
  /** A further folder of packages. */
  readonly packages: string | undefined;
}

function foldersOf({ folder, packages }: CodePlaces): string[] {
  return packages === undefined ? [folder] : [folder, packages];
}

function argumentsOf(places: CodePlaces, memoryMb: number): string[] {
  const { packages } = places;
  const beside = packages === undefined ? [] : [pathToFileURL(packages).href];
  return [
    '--permission',
    ...foldersOf(places).map((folder) => `--allow-fs-read=${path.join(folder, '*')}`),
    ...KNOWN_SWITCHES,
    `--max-old-space-size=${memoryMb}`,
    '--no-warnings',
    '--input-type=module',
    '-e',
    RUNNER,
    String(memoryMb),
    ...beside,
  ];
}

function environment(): Record<string, string> {
  const systemRoot = process.env['SYSTEMROOT'];
  return systemRoot === undefined ? {} : { SYSTEMROOT: systemRoot };
}

/** An answer of the runner; undefined for what the code wrote on its channel itself. */
function answerOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const answer: unknown = JSON.parse(line);
    return isObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

interface Pending {
  readonly name: string;
  readonly maxBytes: number;
  readonly parts: Buffer[];
  size: number;
  /** Why the process was ended. */
  stopped: EffectFailure | undefined;
  resolve(line: string): void;
  reject(error: EffectFailure): void;
}

/** One confined process for the code of a project; it takes one call at a time. */
export class ProjectProcess {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #exited = Promise.withResolvers<void>();
  #pending: Pending | undefined;
  #calls = 0;
  #reusable = true;
  #ending = false;

  constructor(places: CodePlaces, memoryMb: number, fence: Fence) {
    const given = argumentsOf(places, memoryMb);
    const { command, args } = fence.wrap(foldersOf(places), process.execPath, given);
    const limits = { dataMb: IDLE_NODE_MB + 2 * memoryMb };
    const guarded = guardedCommand(command, args, STREAMS, limits);
    this.#child = spawn(guarded.command, guarded.args, {
      ...guarded.options,
      cwd: places.folder,
      env: environment(),
    });
    this.#child.once('exit', () => {
      signalGroup(this.#child, 'SIGKILL');
      endGuard(this.#child, STREAMS.length);
    });
    const channel = this.#child.stdio[3];
    if (!(channel instanceof Duplex)) {
      throw new EffectFailure('a process for project code could not be started');
    }
    this.#channel = channel;
    this.#channel.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#channel.on('error', () => this.kill());
    this.#child.once('error', (error) => this.#ended(error.message));
    this.#child.once('close', (code) => this.#ended(`exit code ${code}`));
  }

  /** True when the process can take another call. */
  get reusable(): boolean {
    return this.#reusable && this.#calls < MAX_CALLS;
  }

  /**
   * Calls an exported function.
   * @throws EffectFailure with the code's own message, or with the limit that stopped it.
   */
  async call(
    target: ProjectFunction,
    version: string,
    args: readonly unknown[],
    signal: AbortSignal,
    limits: ProjectCallLimits,
  ): Promise<unknown> {
    this.#calls += 1;
    const { name } = target;
    const timer = setTimeout(() => {
      const message = `'${name}' ran longer than ${limits.timeoutMs / 1000} s`;
      this.#stop(new EffectFailure(message, { timed_out: true, type: 'RetryTimeoutError' }));
    }, limits.timeoutMs);
    const abort = (): void =>
      this.#stop(new EffectFailure('the call was stopped', { retryable: false }));
    signal.addEventListener('abort', abort, { once: true });
    try {
      const url = `${pathToFileURL(target.file).href}?v=${version}`;
      const line = this.#ask(name, limits.maxResultBytes);
      this.#channel.write(`${JSON.stringify({ url, name, args })}\n`);
      if (signal.aborted) abort();
      return this.#valueOf(await line, name);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Whether the process keeps this one alive; an idle one should not. */
  hold(held: boolean): void {
    if (held) this.#child.ref();
    else this.#child.unref();
  }

  kill(): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#reusable = false;
    this.hold(true);
    endGroup(this.#child);
  }

  /** Resolves when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  #ask(name: string, maxBytes: number): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#pending = { name, maxBytes, parts: [], size: 0, stopped: undefined, resolve, reject };
    return promise;
  }

  #receive(chunk: Buffer): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    pending.size += chunk.length;
    if (pending.size > pending.maxBytes) {
      this.#stop(new EffectFailure(`'${pending.name}' gave back too much`, { retryable: false }));
      return;
    }
    pending.parts.push(chunk);
    if (chunk.at(-1) !== 0x0a) return;
    this.#pending = undefined;
    pending.resolve(Buffer.concat(pending.parts).toString('utf8'));
  }

  #stop(reason: EffectFailure): void {
    if (this.#pending !== undefined) this.#pending.stopped ??= reason;
    this.kill();
  }

  #ended(how: string): void {
    this.#reusable = false;
    this.#exited.resolve();
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const message = `'${pending.name}' ended without an answer (${how})`;
    pending.reject(pending.stopped ?? new EffectFailure(message));
  }

  #valueOf(line: string, name: string): unknown {
    const answer = answerOf(line);
    if (answer?.['clean'] !== true) this.#reusable = false;
    if (answer === undefined) throw new EffectFailure(`'${name}' gave no answer that can be read`);
    if (answer['ok'] === true) return answer['value'] ?? null;
    const { message } = answer;
    throw new EffectFailure(typeof message === 'string' ? message : `'${name}' failed`);
  }
}
