// The command line in a process of its own, in a folder of its own, as a person uses it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loose } from './platform.ts';

const ENTRY = fileURLToPath(new URL('../../server/cli/index.ts', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  readonly json: Loose;
}

export interface Cli {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Runs a command to its end. */
  run(
    words: readonly string[],
    env?: Readonly<Record<string, string>>,
    /** For its standard input, which is empty otherwise. */
    input?: string,
  ): Promise<CliResult>;
  /** Starts a command that goes on. */
  start(words: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  write(name: string, text: string): string;
  read(name: string): string;
  file(name: string): string;
  /** What the listeners of a service that it started ask for. */
  credential(service?: 'instance' | 'dashboard' | 'studio'): { authorization: string };
  dispose(): void;
}

/** A command line with its own home, data and configuration; nothing of the caller's leaks in. */
export function createCli(): Cli {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-cli-'));
  const work = path.join(folder, 'work');
  mkdirSync(work);
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'specwright-cli-test-cache'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
  };
  const children = new Set<ChildProcess>();
  const start = (
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
    input?: string,
  ) => {
    const child = spawn(process.execPath, [ENTRY, ...words], {
      cwd: work,
      env: { ...env, ...more },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(input);
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const file = (name: string): string => path.join(work, name);
  return {
    folder,
    env,
    start,
    run(words, more, input) {
      const child = start(words, more, input);
      let stdout = '';
      let stderr = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const { promise, resolve } = Promise.withResolvers<CliResult>();
      child.once('close', (code) =>
        resolve({
          code,
          stdout,
          stderr,
          get json() {
            return JSON.parse(stdout);
          },
        }),
      );
      return promise;
    },
    write(name, text) {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      writeFileSync(file(name), text);
      return file(name);
    },
    read: (name) => readFileSync(file(name), 'utf8'),
    file,
    credential(service = 'instance') {
      const key = readFileSync(path.join(folder, 'state/specwright', `${service}.key`), 'utf8');
      return { authorization: `Bearer ${key.trim()}` };
    },
    dispose() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A spec that runs offline. */
export const GREETER = `version: v1
agent: {name: greeter, system_prompt: You greet.}
workflow:
  type: sequential
  name: greeting
  steps:
    - {id: draft, kind: agent, ref: writer}
    - {id: polish, kind: agent, ref: writer}
components: {agents: {writer: {name: writer, system_prompt: You write.}}}
`;

/** A spec that waits for a person in its middle. */
export const ASKING = `version: v1
agent: {name: greeter, system_prompt: You greet.}
workflow:
  type: sequential
  name: asking
  steps:
    - {id: draft, kind: agent, ref: writer}
    - {id: check, kind: human, ref: boss}
    - {id: send, kind: agent, ref: writer}
components:
  agents: {writer: {name: writer, system_prompt: You write.}}
  humans:
    boss: {description: Send it?, request_type: approval}
`;
