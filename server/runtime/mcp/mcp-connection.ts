import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../kernel/json.ts';
import { redactText } from '../../kernel/redact.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { MAX_TIMER_MS } from '../../kernel/timer-limit.ts';
import { traceHeaders } from '../outbound-trace.ts';
import { saysTooLarge } from './answer-body.ts';
import { McpFailure } from './mcp-failure.ts';
import { type OpenedTransport, type OpenServer, openTransport } from './open-transport.ts';
import { toolResultText } from './tool-result-text.ts';

const MAX_MESSAGE_CHARS = 500;
const END_SESSION_MS = 1000;
/** Statuses of a server that may be able to answer later. */
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface ConnectOptions extends OpenServer {
  readonly connectMs: number;
  /** Aborts when nobody wants the connection any more. */
  readonly giveUp: AbortSignal;
  readonly version: string;
}

/** One call of a tool of a server. */
export interface McpCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An initialized connection to one MCP server. */
export interface McpConnection {
  /** False once the server or this side ended it. */
  readonly alive: boolean;
  /** @throws McpFailure with a message for the model. */
  callTool(call: McpCall): Promise<string>;
  close(): Promise<void>;
}

/** Where the call stands in a trace, for servers of any transport (the protocol's `_meta`). */
function tracedMeta() {
  const headers = traceHeaders();
  return 'traceparent' in headers ? { _meta: { ...headers } } : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (systemCode(error) ?? codeOf(error.cause)) : undefined;
}

class Connection implements McpConnection {
  readonly #options: ConnectOptions;
  readonly #opened: OpenedTransport;
  readonly #client: Client;
  /** What the transport complained of last: says why a connection closed. */
  #complaint: string | undefined;
  #alive = true;

  constructor(options: ConnectOptions, opened: OpenedTransport) {
    this.#options = options;
    this.#opened = opened;
    this.#client = new Client({ name: 'specwright', version: options.version });
    this.#client.onclose = () => {
      this.#alive = false;
    };
    this.#client.onerror = (error) => this.#complain(error);
  }

  get alive(): boolean {
    return this.#alive;
  }

  #complain(error: Error): void {
    if (!saysTooLarge(this.#complaint ?? '')) this.#complaint = error.message;
    // A broken event stream loses the answers that are under way; what it reopens is a new session.
    if (error instanceof SseError) void this.#client.close();
  }

  async initialize(): Promise<void> {
    const { connectMs, giveUp } = this.#options;
    const late = Promise.withResolvers<never>();
    const stop = (): void => late.reject(this.#failure('stopped', 'connecting was stopped'));
    const timer = setTimeout(() => {
      late.reject(this.#failure('timed_out', `did not connect within ${connectMs / 1000} s`));
    }, connectMs);
    giveUp.addEventListener('abort', stop, { once: true });
    if (giveUp.aborted) stop();
    try {
      const connecting = this.#client.connect(this.#opened.transport, { timeout: MAX_TIMER_MS });
      await Promise.race([connecting, late.promise]);
    } catch (error) {
      await this.close();
      throw error instanceof McpFailure ? error : this.#failureOf(error, 'cannot be reached');
    } finally {
      clearTimeout(timer);
      giveUp.removeEventListener('abort', stop);
    }
  }

  async callTool(call: McpCall): Promise<string> {
    if (call.signal.aborted) throw this.#failure('stopped', 'the call was stopped');
    let result: CallToolResult;
    try {
      result = await this.#client.request(
        {
          method: 'tools/call',
          params: { name: call.tool, arguments: call.arguments, ...tracedMeta() },
        },
        CallToolResultSchema,
        { signal: call.signal, timeout: call.timeoutMs },
      );
    } catch (error) {
      if (call.signal.aborted) throw this.#failure('stopped', 'the call was stopped');
      throw this.#failureOf(error, 'failed', call);
    }
    this.#complaint = undefined;
    const text = toolResultText(result);
    if (result.isError !== true) return text;
    throw new McpFailure('refused', text === '' ? `Tool '${call.tool}' failed.` : text);
  }

  async close(): Promise<void> {
    if (this.#alive) {
      const late = AbortSignal.timeout(END_SESSION_MS);
      const given = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()));
      // A server that does not take the farewell loses the session by its own means.
      await Promise.race([this.#opened.endSession().catch(() => undefined), given]);
    }
    this.#alive = false;
    await this.#client.close();
    await this.#opened.transport.close();
  }

  #failure(fault: McpFailure['fault'], what: string): McpFailure {
    let text = redactText(what);
    for (const secret of this.#options.resolved.secrets) {
      text = text.replaceAll(secret, '[REDACTED]');
    }
    const short = text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
    return new McpFailure(fault, `MCP server '${this.#options.name}': ${short}`);
  }

  #because(): string {
    const said = this.#opened.lastWords().trim().split('\n').slice(-3).join(' | ');
    const why = [this.#complaint ?? '', said].filter((part) => part !== '').join('; it said: ');
    return why === '' ? '' : ` (${why})`;
  }

  #failureOf(error: unknown, what: string, call?: McpCall): McpFailure {
    if (error instanceof McpFailure) return error;
    if (error instanceof McpError) return this.#protocolFailure(error, call);
    if (error instanceof StreamableHTTPError) return this.#statusFailure(error, call);
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EACCES') {
      return this.#failure('refused', `its command cannot be started (${code})`);
    }
    if (code === 'ECONNREFUSED') {
      return this.#failure(call === undefined ? 'unreachable' : 'stale', 'refuses connections');
    }
    if (error instanceof Error && error.name === 'ZodError') {
      return this.#failure('refused', 'the answer is no valid result of a tool');
    }
    const text = textOf(error);
    const refused = saysTooLarge(text) || text.includes('protocol version');
    return this.#failure(refused ? 'refused' : 'unreachable', `${what}: ${text}`);
  }

  #protocolFailure(error: McpError, call: McpCall | undefined): McpFailure {
    if (error.code === ErrorCode.RequestTimeout) {
      const seconds = (call?.timeoutMs ?? this.#options.connectMs) / 1000;
      return this.#failure('timed_out', `no answer within ${seconds} s${this.#because()}`);
    }
    const text = error.message.replace(/^MCP error -?\d+: /, '');
    if (error.code === ErrorCode.ConnectionClosed) {
      const why = text === 'Connection closed' ? `the connection closed${this.#because()}` : text;
      return this.#failure(saysTooLarge(why) ? 'refused' : 'unreachable', why);
    }
    return this.#failure('refused', text);
  }

  #statusFailure(error: StreamableHTTPError, call: McpCall | undefined): McpFailure {
    const { code } = error;
    const text = error.message.replace(/^Streamable HTTP error: /, '');
    if (code === undefined || code < 0) return this.#failure('refused', text);
    const what = `HTTP ${code}: ${text.replace(/^Error POSTing to endpoint: /, '')}`;
    if (code === 404 && call !== undefined) return this.#failure('stale', what);
    return this.#failure(PASSING_STATUSES.has(code) ? 'unreachable' : 'refused', what);
  }
}

/**
 * Connects to a server and initializes the session (spec-v1 11.3).
 * @throws McpFailure when the server cannot be used; nothing of it is left running then.
 */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const connection = new Connection(options, await openTransport(options));
  await connection.initialize();
  return connection;
}
