import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { askStore, externalAt, onPostgres, type StoredRow, TestDatabases } from './chosen-store.ts';

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
  readonly #databases = new TestDatabases('studio');
  #child: ChildProcess | undefined;
  #url = '';

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = settings;
    mkdirSync(this.tree);
  }

  async #database(): Promise<string | undefined> {
    return onPostgres ? this.#databases.of(this.folder) : undefined;
  }

  /** Runs one statement on the store; values stand for each `?`. */
  async rows(statement: string, ...values: readonly unknown[]): Promise<StoredRow[]> {
    const url = await this.#database();
    const store =
      url === undefined ? path.join(this.folder, 'state', 'studio.db') : externalAt(url);
    return askStore(store, statement, ...values);
  }

  async start(): Promise<void> {
    const url = await this.#database();
    const words = [CHILD, this.folder, JSON.stringify(this.#settings), ...(url ? [url] : [])];
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

  async remove(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#databases.drop();
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
