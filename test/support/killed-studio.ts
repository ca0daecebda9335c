import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./studio-child.ts', import.meta.url));

/** A call that no answer came to, because the process was gone. */
export function isCutOff(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}

/** A studio in a process of its own that is killed and started again over the same files. */
export class KilledStudio {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'studio-kill-'));
  readonly tree = path.join(this.folder, 'tree');
  /** What each call sends as its cookie. */
  cookie = '';
  readonly #settings: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #url = '';

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = settings;
    mkdirSync(this.tree);
  }

  async start(): Promise<void> {
    const words = [CHILD, this.folder, JSON.stringify(this.#settings)];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    this.#url = await new Promise((resolve, reject) => {
      child.stdout?.once('data', (chunk) => resolve(chunk.toString().trim()));
      child.once('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
    });
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child?.once('exit', resolve));
    this.#child?.kill('SIGKILL');
    await ended;
  }

  remove(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @throws what {@link isCutOff} knows when the process is gone. */
  async call(method: string, target: string, body?: unknown) {
    const response = await fetch(`${this.#url}${target}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    };
  }
}
