import { readdir, realpath, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '../kernel/sha256.ts';
import { findFence, type SandboxMode } from './project-fence.ts';
import type { ProjectFunction } from './project-functions.ts';
import { refuseLinksOut } from './project-links.ts';
import { type ProjectCallLimits, ProjectProcess } from './project-process.ts';
import { EffectFailure } from './run-effects.ts';

/** What one call of a project's code may take (docs/tools.md). */
export const PROJECT_CALL_LIMITS: ProjectCallLimits = {
  timeoutMs: 30_000,
  memoryMb: 256,
  maxResultBytes: 4 * 1024 * 1024,
};

const IDLE_MS = 10_000;
const MAX_IDLE = 2;
const MAX_FILES = 5000;

/** Code of one trusted project. */
export interface ProjectCode {
  /**
   * Calls an exported function in a process of its own (decisions 8): it may read its `functions/`
   * folder and nothing else of the disk, starts no process, inherits no variable, and ends at the
   * time limit, the memory limit or when the signal aborts. A process that a call left clean takes the
   * next call of the same code; a changed file starts a new one.
   * @throws EffectFailure with the code's own message, or with the limit that stopped it.
   */
  call(target: ProjectFunction, args: readonly unknown[], signal: AbortSignal): Promise<unknown>;
  /** Ends every process. */
  close(): Promise<void>;
}

export interface ProjectCodeOptions {
  /** The tree that holds `functions/`. */
  readonly root: string;
  /** A folder of packages that it may import beside those of `functions/`. */
  readonly packages?: string | undefined;
  readonly limits?: Partial<ProjectCallLimits>;
  /** Processes at the same time; default: one for each processor. */
  readonly processes?: number;
  readonly idleMs?: number;
  /** Default: `auto`. */
  readonly sandbox?: SandboxMode;
}

/** What the files of a folder look like from outside: a changed file changes it. */
export async function versionOf(folder: string): Promise<string> {
  const facts: string[] = [];
  const visit = async (current: string): Promise<void> => {
    const entries = await readdir(current, { withFileTypes: true });
    for (const entry of entries) {
      if (facts.length >= MAX_FILES || entry.name === 'node_modules') continue;
      const file = path.join(current, entry.name);
      if (entry.isDirectory()) await visit(file);
      else {
        const { mtimeMs, size } = await stat(file);
        facts.push(`${file}\n${mtimeMs}\n${size}`);
      }
    }
  };
  await visit(folder);
  return sha256Hex(facts.sort().join('\n')).slice(0, 16);
}

interface Idle {
  readonly process: ProjectProcess;
  readonly version: string;
  readonly timer: NodeJS.Timeout;
}

function stopped(): EffectFailure {
  return new EffectFailure('the call was stopped', { retryable: false });
}

class ProjectProcesses implements ProjectCode {
  readonly #root: string;
  readonly #packages: string | undefined;
  readonly #limits: ProjectCallLimits;
  readonly #idleMs: number;
  readonly #sandbox: SandboxMode;
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<ProjectProcess>();
  #free: number;
  #idle: Idle[] = [];
  #closed = false;

  constructor(options: ProjectCodeOptions) {
    this.#root = options.root;
    this.#packages = options.packages;
    this.#limits = { ...PROJECT_CALL_LIMITS, ...options.limits };
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#sandbox = options.sandbox ?? 'auto';
    this.#free = options.processes ?? availableParallelism();
  }

  async call(target: ProjectFunction, args: readonly unknown[], signal: AbortSignal) {
    if (signal.aborted) throw stopped();
    await this.#seat(signal);
    try {
      const folder = await realpath(path.join(this.#root, 'functions'));
      const version = await versionOf(folder);
      const worker = this.#known(version) ?? (await this.#start(folder));
      try {
        return await worker.call(target, version, args, signal, this.#limits);
      } finally {
        this.#giveBack(worker, version);
      }
    } finally {
      this.#leave();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    this.#idle = [];
    const ending = [...this.#all];
    for (const worker of ending) worker.kill();
    await Promise.all(ending.map((worker) => worker.exited));
  }

  /** Waits for one of the places; an aborted call leaves the line. */
  async #seat(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(stopped());
    };
    this.#waiting.push(resolve);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new EffectFailure('the service is stopping', { retryable: false });
  }

  /** An idle process that runs this code; those of other versions end. */
  #known(version: string): ProjectProcess | undefined {
    this.#refuseWhenClosed();
    const at = this.#idle.findIndex((idle) => idle.version === version && idle.process.reusable);
    const [known] = at === -1 ? [] : this.#idle.splice(at, 1);
    if (known !== undefined) {
      clearTimeout(known.timer);
      known.process.hold(true);
      return known.process;
    }
    for (const old of this.#idle.filter((idle) => idle.version !== version)) this.#retire(old);
    return undefined;
  }

  async #start(folder: string): Promise<ProjectProcess> {
    await refuseLinksOut(folder);
    const packages = this.#packages === undefined ? undefined : await realpath(this.#packages);
    if (packages !== undefined) await refuseLinksOut(packages);
    const fence = await findFence(this.#sandbox);
    this.#refuseWhenClosed();
    const made = new ProjectProcess({ folder, packages }, this.#limits.memoryMb, fence);
    this.#all.add(made);
    void made.exited.then(() => this.#all.delete(made));
    return made;
  }

  #giveBack(worker: ProjectProcess, version: string): void {
    if (this.#closed || !worker.reusable || this.#idle.length >= MAX_IDLE) {
      worker.kill();
      return;
    }
    worker.hold(false);
    const timer = setTimeout(() => {
      const idle = this.#idle.find((item) => item.process === worker);
      if (idle !== undefined) this.#retire(idle);
    }, this.#idleMs);
    timer.unref();
    this.#idle.push({ process: worker, version, timer });
  }

  #retire(idle: Idle): void {
    clearTimeout(idle.timer);
    this.#idle = this.#idle.filter((item) => item !== idle);
    idle.process.kill();
  }
}

/** Makes the code of a project callable. Nothing is started before the first call. */
export function createProjectCode(options: ProjectCodeOptions): ProjectCode {
  return new ProjectProcesses(options);
}
