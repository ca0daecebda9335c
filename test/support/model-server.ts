import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  refusalBody,
  type ScriptedAnswer,
  toWire,
  type WireAnswer,
  type WireFormat,
} from './model-wire.ts';

/** How a model server misbehaves instead of answering. */
export type ModelFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** The provider's own word for it. */
      readonly code?: string;
      /** The provider's text, which may hold anything. */
      readonly message?: string;
      /** A body of another shape. */
      readonly body?: string;
    }
  /** Never sends a header. */
  | { readonly kind: 'hang' }
  /** Sends some frames, then nothing. */
  | { readonly kind: 'hang_mid_stream' }
  /** Sends its frames that far apart, which may change as it goes. */
  | { readonly kind: 'drip'; readonly everyMs: number | (() => number) }
  /** Frames that are no JSON. */
  | { readonly kind: 'malformed' }
  /** JSON of another shape. */
  | { readonly kind: 'wrong_shape' }
  /** Ends the stream before its last words. */
  | { readonly kind: 'truncated' }
  /** Breaks the connection in the stream. */
  | { readonly kind: 'reset' }
  /** A page instead of an answer. */
  | { readonly kind: 'html' }
  /** Text without an end. */
  | { readonly kind: 'huge' }
  /** An error object within the stream. */
  | { readonly kind: 'error_frame'; readonly code: string; readonly message: string }
  /** A whole answer although a stream was asked for. */
  | { readonly kind: 'no_stream' };

/** One scripted reply: an answer, a fault, or an answer that comes late. */
export interface ModelReply extends ScriptedAnswer {
  readonly fault?: ModelFault;
  readonly delayMs?: number;
}

/** A request as it arrived. */
export interface ModelRequest {
  readonly format: WireFormat;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the bodies of three formats
  readonly body: any;
  readonly stream: boolean;
}

/** A model server on loopback that speaks the wire formats of OpenAI, Anthropic and Google. */
export interface ModelServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The address to give as `base_url`. */
  baseUrl(format: WireFormat): string;
  readonly requests: ModelRequest[];
  /** Adds replies, given in turn; when none is left, the answer is "ok". */
  reply(...replies: ModelReply[]): void;
  /** Answers by the request instead of in turn. */
  answerWith(script: (request: ModelRequest) => ModelReply): void;
  /** Requests whose connection the client closed before the answer was complete. */
  abandoned(): number;
  /** Open connections. */
  connections(): number;
  reset(): void;
  stop(): Promise<void>;
}

function formatOf(path: string): WireFormat | undefined {
  if (path.endsWith('/chat/completions')) return 'openai';
  if (path.endsWith('/messages')) return 'anthropic';
  return /:(streamG|g)enerateContent$/.test(path) ? 'google' : undefined;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function writeFrames(
  response: ServerResponse,
  frames: readonly string[],
  everyMs: number | (() => number),
): Promise<void> {
  for (const frame of frames) {
    if (response.destroyed) return;
    response.write(frame);
    const pause = typeof everyMs === 'number' ? everyMs : everyMs();
    if (pause > 0) await wait(pause);
  }
}

async function writeHuge(response: ServerResponse, wire: WireAnswer): Promise<void> {
  const middle = wire.frames.find((frame) => frame.includes('HUGE')) ?? '';
  const frame = middle.replaceAll('HUGE', 'x'.repeat(64 * 1024));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  while (!response.destroyed) {
    if (response.write(frame)) continue;
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  }
}

async function misbehave(
  fault: ModelFault,
  request: ModelRequest,
  response: ServerResponse,
  wire: WireAnswer,
): Promise<void> {
  const some = wire.frames.slice(0, Math.max(1, wire.frames.length - 3));
  switch (fault.kind) {
    case 'status': {
      const words = refusalBody(request.format, fault.code ?? '', fault.message ?? '');
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? JSON.stringify(words));
      return;
    }
    case 'hang':
      return;
    case 'hang_mid_stream':
      response.writeHead(200, SSE);
      await writeFrames(response, some, 0);
      return;
    case 'drip':
      response.writeHead(200, SSE);
      await writeFrames(response, wire.frames, fault.everyMs);
      response.end();
      return;
    case 'malformed':
      response.writeHead(200, SSE);
      response.end('data: {"choices": [{"del\n\ndata: nonsense\n\n');
      return;
    case 'wrong_shape':
      response.writeHead(200, SSE);
      response.end('data: {"choices": 7, "candidates": 7, "type": 7}\n\n');
      return;
    case 'truncated':
      response.writeHead(200, SSE);
      await writeFrames(response, some, 0);
      response.end();
      return;
    case 'reset':
      response.writeHead(200, SSE);
      await writeFrames(response, some, 5);
      response.destroy();
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><body>Welcome to the proxy</body></html>');
      return;
    case 'huge':
      response.writeHead(200, SSE);
      await writeHuge(response, wire);
      return;
    case 'error_frame': {
      const words = refusalBody(request.format, fault.code, fault.message);
      const named = request.format === 'anthropic' ? 'event: error\n' : '';
      response.writeHead(200, SSE);
      await writeFrames(response, some, 0);
      response.end(`${named}data: ${JSON.stringify(words)}\n\n`);
      return;
    }
    case 'no_stream':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wire.whole));
  }
}

class ScriptedModelServer implements ModelServer {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #replies: ModelReply[] = [];
  #script: ((request: ModelRequest) => ModelReply) | undefined;
  #abandoned = 0;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    return this;
  }

  baseUrl(format: WireFormat): string {
    return `${this.url}/${format === 'google' ? 'v1beta' : 'v1'}`;
  }

  reply(...replies: ModelReply[]): void {
    this.#replies.push(...replies);
  }

  answerWith(script: (request: ModelRequest) => ModelReply): void {
    this.#script = script;
  }

  abandoned(): number {
    return this.#abandoned;
  }

  connections(): number {
    return this.#sockets.size;
  }

  reset(): void {
    this.requests.length = 0;
    this.#replies = [];
    this.#script = undefined;
    this.#abandoned = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableEnded) this.#abandoned += 1;
    });
    const path = new URL(incoming.url ?? '/', this.url).pathname;
    const format = formatOf(path);
    if (format === undefined || incoming.method !== 'POST') {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":"no such path"}');
      return;
    }
    const body = JSON.parse(await readBody(incoming));
    const stream = body.stream === true || path.endsWith(':streamGenerateContent');
    const request: ModelRequest = { format, path, headers: incoming.headers, body, stream };
    this.requests.push(request);
    const reply = this.#script?.(request) ?? this.#replies.shift() ?? { text: 'ok' };
    if (reply.delayMs !== undefined) await wait(reply.delayMs);
    const model = typeof body.model === 'string' ? body.model : 'model';
    const fault = reply.fault;
    const answer = fault?.kind === 'huge' ? { text: 'HUGE' } : reply;
    const wire = toWire(format, answer, model);
    if (fault !== undefined) await misbehave(fault, request, response, wire);
    else if (stream) {
      response.writeHead(200, SSE);
      await writeFrames(response, wire.frames, 0);
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wire.whole));
    }
  }
}

/** Starts a model server that answers as it is told. */
export async function startModelServer(): Promise<ModelServer> {
  return new ScriptedModelServer().listen();
}
