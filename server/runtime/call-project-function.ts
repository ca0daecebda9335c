import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { isObject } from '../kernel/json.ts';
import type { ProjectFunction } from './project-functions.ts';
import { EffectFailure } from './run-effects.ts';

/** Limits of one call of project code. */
export interface ProjectCallLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Bytes of the JSON that the code may give back. */
  readonly maxResultBytes: number;
}

export const PROJECT_CALL_LIMITS: ProjectCallLimits = {
  timeoutMs: 30_000,
  memoryMb: 256,
  maxResultBytes: 4 * 1024 * 1024,
};

/** Runs in the child: reads the call from its input, answers on a channel that user output cannot reach. */
const RUNNER = `
import { writeSync } from 'node:fs';
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { url, name, args } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const answer = (value) => {
  const bytes = Buffer.from(JSON.stringify(value));
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
};
try {
  const target = (await import(url))[name];
  if (typeof target !== 'function') throw new TypeError('the file has no function of this name');
  answer({ ok: true, value: (await target(...args)) ?? null });
} catch (error) {
  answer({ ok: false, message: error instanceof Error ? error.message : String(error) });
}
process.exit(0);
`;

function argumentsOf(folder: string, limits: ProjectCallLimits): string[] {
  return [
    '--permission',
    `--allow-fs-read=${path.join(folder, '*')}`,
    `--max-old-space-size=${limits.memoryMb}`,
    '--no-warnings',
    '--input-type=module',
    '-e',
    RUNNER,
  ];
}

function answeredValue(text: string, name: string): unknown {
  const answer: unknown = JSON.parse(text);
  if (isObject(answer) && answer['ok'] === true) return answer['value'];
  const message = isObject(answer) ? answer['message'] : undefined;
  throw new EffectFailure(typeof message === 'string' ? message : `'${name}' failed`);
}

/** Collects the answer; gives up on one that is too large. */
function readAnswer(stream: Readable, limit: number, tooLarge: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) tooLarge();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/**
 * Calls code of a trusted project in a process of its own (decisions 8): it may read its `functions/`
 * folder and nothing else of the disk, starts no process, inherits no variable, and ends at the time
 * limit, the memory limit or when the signal aborts.
 * @throws EffectFailure with the code's own message, or with the limit that stopped it.
 */
export async function callProjectFunction(
  root: string,
  target: ProjectFunction,
  args: readonly unknown[],
  signal: AbortSignal,
  limits: ProjectCallLimits = PROJECT_CALL_LIMITS,
): Promise<unknown> {
  const folder = await realpath(path.join(root, 'functions'));
  const child = spawn(process.execPath, argumentsOf(folder, limits), {
    cwd: folder,
    env: { ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let stopped: EffectFailure | undefined;
    const stop = (reason: EffectFailure): void => {
      stopped ??= reason;
      child.kill('SIGKILL');
    };
    const abort = (): void => stop(new EffectFailure('the call was stopped', { retryable: false }));
    const timer = setTimeout(() => {
      const message = `'${target.name}' ran longer than ${limits.timeoutMs / 1000} s`;
      stop(new EffectFailure(message, { timed_out: true, type: 'RetryTimeoutError' }));
    }, limits.timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    const channel = child.stdio[3];
    const text =
      channel === null || channel === undefined || !('read' in channel)
        ? () => ''
        : readAnswer(channel, limits.maxResultBytes, () =>
            stop(new EffectFailure(`'${target.name}' gave back too much`, { retryable: false })),
          );
    child.once('error', (error) => stop(new EffectFailure(error.message)));
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (stopped !== undefined) return reject(stopped);
      const answer = text();
      if (answer === '') {
        return reject(
          new EffectFailure(`'${target.name}' ended without an answer (exit code ${code})`),
        );
      }
      try {
        return resolve(answeredValue(answer, target.name));
      } catch (error) {
        return reject(error);
      }
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(
      JSON.stringify({ url: pathToFileURL(target.file).href, name: target.name, args }),
    );
  });
}
