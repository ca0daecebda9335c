import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { endGroup, endGuard, guardedCommand, signalGroup } from '../guarded-process.ts';
import { endMarked, markedEnvironment } from '../left-group.ts';
import { tooLarge } from './answer-body.ts';

/** How a server that is a program is started. */
export interface ProcessSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Bytes of one message. */
  readonly maxBytes: number;
}

const STREAMS = ['pipe', 'pipe', 'pipe'] as const;
const GRACE_MS = 500;
const STDERR_CHARS = 2000;

/** Splits a byte stream into lines; remembers only the line that is being received. */
class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws Error when the line is longer than allowed. */
  *read(chunk: Buffer): Generator<string> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      this.#keep(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      const line = Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, '');
      this.#parts = [];
      this.#size = 0;
      from = end + 1;
      yield line;
    }
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      throw tooLarge(this.#maxBytes);
    }
    this.#parts.push(part);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** What the exit code of the shell says. */
function endText(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `the server ended by ${signal}`;
  if (code === 126 || code === 127) return 'its command cannot be started';
  return `the server ended with exit code ${code}`;
}

/**
 * An MCP server as a child process that speaks on its standard streams. It leads a process group of
 * its own, so that closing ends what it started too.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #settings: ProcessSettings;
  readonly #ended = Promise.withResolvers<Error>();
  #child: ChildProcess | undefined;
  #stderr = '';
  /** The end of what the server started, once the server itself has ended. */
  #left: Promise<void> | undefined;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
  }

  /** The end of what the server wrote to its error stream. */
  get lastWords(): string {
    return this.#stderr;
  }

  async start(): Promise<void> {
    const { command, args, cwd, maxBytes } = this.#settings;
    const { env, mark } = markedEnvironment(this.#settings.env);
    const guarded = guardedCommand(command, args, STREAMS);
    const child = spawn(guarded.command, guarded.args, { ...guarded.options, cwd, env });
    this.#child = child;
    const reader = new LineReader(maxBytes);
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) {
      throw new Error('its streams cannot be opened');
    }
    stdout.on('data', (chunk: Buffer) => this.#receive(reader, chunk));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-STDERR_CHARS);
    });
    for (const stream of [stdin, stdout, stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    child.once('exit', (code, signal) => {
      const end = new Error(endText(code, signal));
      this.#ended.resolve(end);
      this.onerror?.(end);
      this.#killGroup('SIGKILL');
      // Whoever left the group may still hold the pipes.
      this.#left = endMarked(mark).catch((error: unknown) => this.onerror?.(asError(error)));
      endGuard(child, STREAMS.length);
      setTimeout(() => stdout.destroy(), GRACE_MS).unref();
      setTimeout(() => stderr.destroy(), GRACE_MS).unref();
    });
    child.once('close', () => this.onclose?.());
    await once(child, 'spawn');
    child.on('error', (error) => this.onerror?.(error));
  }

  #receive(reader: LineReader, chunk: Buffer): void {
    try {
      for (const line of reader.read(chunk)) this.#deliver(line);
    } catch (error) {
      this.onerror?.(asError(error));
      this.#child?.stdout?.destroy();
      if (this.#child !== undefined) endGroup(this.#child);
    }
  }

  #deliver(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.onerror?.(new Error('the server wrote a line that is no JSON-RPC message'));
      return;
    }
    this.onmessage?.(message);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) {
      return Promise.reject(new Error('the server is not running'));
    }
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => {
        if (error === null || error === undefined) resolve();
        else void this.#reasonOf(error).then(reject);
      });
    });
  }

  /** A pipe may break before the end of its process is heard; the end says more than the pipe. */
  #reasonOf(error: Error): Promise<Error> {
    return Promise.race([this.#ended.promise, sleep(GRACE_MS, error)]);
  }

  #killGroup(signal: NodeJS.Signals): void {
    if (this.#child !== undefined) signalGroup(this.#child, signal);
  }

  /** Asks the server to end, then makes it. Resolves when it is gone, and what it started too. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    if (child.exitCode !== null || child.signalCode !== null) return this.#left;
    const gone = once(child, 'close');
    child.stdin?.end();
    const term = setTimeout(() => this.#killGroup('SIGTERM'), GRACE_MS);
    const kill = setTimeout(() => this.#killGroup('SIGKILL'), 2 * GRACE_MS);
    await gone;
    clearTimeout(term);
    clearTimeout(kill);
    await this.#left;
  }
}
