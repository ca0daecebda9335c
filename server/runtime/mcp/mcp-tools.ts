import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { timerMs } from '../../kernel/timer-limit.ts';
import type { McpServer } from '../../spec/schema/spec-types.ts';
import type { Secrets } from '../secrets.ts';
import { HOW_TO_TRUST } from '../trusted-folders.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import { serverTimeoutSeconds } from './mcp-limits.ts';
import { resolveServer } from './named-secrets.ts';

/** Settings of MCP calls; seconds (contract/platform.md 12, `SERV_MCP_…`). */
export interface McpSettings {
  /** What a program may know of where it runs is taken from here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
  /** Folder that relative paths of a server's settings start from. */
  readonly root: string;
  /** Programs of the project may be started (decisions 8). */
  readonly trusted: boolean;
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly timeoutSeconds: number | undefined;
  readonly retryOnTimeout: boolean;
  readonly connectTimeoutSeconds: number | undefined;
  readonly version: string;
  /** A connection that nobody used for so long is closed. */
  readonly idleSeconds?: number;
}

/** One call of a server's tool. */
export interface McpToolCall {
  /** Key in `mcp_servers`. */
  readonly name: string;
  readonly server: McpServer;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Connections to MCP servers, shared by equal settings (spec-v1 11.3). */
export interface McpTools {
  /**
   * Calls a tool; connects first when needed.
   * @throws McpFailure with a message for the model.
   */
  call(call: McpToolCall, signal: AbortSignal): Promise<string>;
  /** Ends every connection and every program; later calls are refused. */
  close(): Promise<void>;
}

const OFF_IN_SAFE_MODE = 'no MCP server is called in safe mode; start the program as usual';
const DEFAULT_CONNECT_SECONDS = 30;
const DEFAULT_IDLE_SECONDS = 30;

interface Shared {
  readonly connection: Promise<McpConnection>;
  /** Gives up connecting. */
  readonly giveUp: AbortController;
  connecting: boolean;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

function aborted(signal: AbortSignal): { readonly promise: Promise<never>; off(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new McpFailure('stopped', 'the call was stopped'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return { promise, off: () => signal.removeEventListener('abort', stop) };
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timerMs(seconds));
  const stop = aborted(signal);
  try {
    await Promise.race([promise, stop.promise]);
  } finally {
    clearTimeout(timer);
    stop.off();
  }
}

class SharedConnections implements McpTools {
  readonly #settings: McpSettings;
  readonly #shared = new Map<string, Shared>();
  readonly #closing = new Set<Promise<void>>();
  #closed = false;

  constructor(settings: McpSettings) {
    this.#settings = settings;
  }

  async call(call: McpToolCall, signal: AbortSignal): Promise<string> {
    if (this.#settings.env['SPECWRIGHT_SAFE_MODE'] === '1') {
      throw new McpFailure('refused', `MCP server '${call.name}': ${OFF_IN_SAFE_MODE}`);
    }
    const { retries, backoffSeconds, retryOnTimeout } = this.#settings;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(call, signal);
      } catch (error) {
        const fault = error instanceof McpFailure ? error.fault : 'refused';
        const passing = fault === 'unreachable' || fault === 'stale';
        const again = passing || (fault === 'timed_out' && retryOnTimeout);
        if (!again || attempt > retries || signal.aborted) throw error;
        await pause(backoffSeconds * attempt, signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const [key, shared] of [...this.#shared]) this.#drop(key, shared);
    await Promise.all(this.#closing);
  }

  /** A call over a connection that turns out to be gone is sent once more over a new one. */
  async #attempt(call: McpToolCall, signal: AbortSignal): Promise<string> {
    const known = this.#shared.has(this.#keyOf(call));
    try {
      return await this.#once(call, signal);
    } catch (error) {
      if (!known || !(error instanceof McpFailure) || error.fault !== 'stale') throw error;
      return this.#once(call, signal);
    }
  }

  async #once(call: McpToolCall, signal: AbortSignal): Promise<string> {
    const key = this.#keyOf(call);
    const shared = this.#sharedOf(key, call);
    shared.users += 1;
    clearTimeout(shared.idle);
    const stop = aborted(signal);
    try {
      const connection = await Promise.race([shared.connection, stop.promise]);
      if (!connection.alive) {
        throw new McpFailure('stale', `MCP server '${call.name}': the connection closed`);
      }
      return await connection.callTool({
        tool: call.tool,
        arguments: call.arguments,
        timeoutMs: timerMs(this.#callSeconds(call.server)),
        signal,
      });
    } catch (error) {
      if (error instanceof McpFailure && error.fault === 'stale') this.#drop(key, shared);
      throw error;
    } finally {
      stop.off();
      shared.users -= 1;
      void this.#release(key, shared);
    }
  }

  #callSeconds(server: McpServer): number {
    const own = serverTimeoutSeconds(server);
    return Math.min(own, this.#settings.timeoutSeconds ?? own);
  }

  #keyOf(call: McpToolCall): string {
    return canonicalJson(call.server);
  }

  #sharedOf(key: string, call: McpToolCall): Shared {
    if (this.#closed) {
      throw new McpFailure('refused', `MCP server '${call.name}': the service is stopping`);
    }
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const giveUp = new AbortController();
    const connection = this.#connect(call, giveUp.signal);
    const made: Shared = { connection, giveUp, connecting: true, users: 0, idle: undefined };
    this.#shared.set(key, made);
    connection.then(
      () => {
        made.connecting = false;
      },
      () => this.#forget(key, made),
    );
    return made;
  }

  async #connect(call: McpToolCall, giveUp: AbortSignal): Promise<McpConnection> {
    const { env, root, trusted, version, secrets } = this.#settings;
    const { connectTimeoutSeconds, timeoutSeconds } = this.#settings;
    const { name, server } = call;
    if (server.transport === 'stdio' && !trusted) {
      throw new McpFailure(
        'refused',
        `MCP server '${name}' is a program of a project that is not trusted. ${HOW_TO_TRUST}`,
      );
    }
    const seconds = connectTimeoutSeconds ?? timeoutSeconds ?? DEFAULT_CONNECT_SECONDS;
    await secrets.ready();
    const resolved = resolveServer(name, server, secrets);
    // Loaded with the first call: most services never call a tool.
    const { connectMcp } = await import('./mcp-connection.ts');
    const connectMs = timerMs(seconds);
    return connectMcp({ name, server, resolved, env, root, version, connectMs, giveUp });
  }

  #forget(key: string, shared: Shared): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }

  #drop(key: string, shared: Shared): void {
    clearTimeout(shared.idle);
    shared.giveUp.abort();
    this.#forget(key, shared);
    const closing = shared.connection.then(
      (connection) => connection.close(),
      () => undefined,
    );
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  /** The last user of a connection leaves: it is dropped when it is not there, else after a while. */
  async #release(key: string, shared: Shared): Promise<void> {
    if (shared.users > 0 || this.#shared.get(key) !== shared) return;
    if (shared.connecting) {
      this.#drop(key, shared);
      return;
    }
    const alive = await shared.connection.then(
      (connection) => connection.alive,
      () => false,
    );
    if (shared.users > 0 || this.#shared.get(key) !== shared) return;
    if (!alive) {
      this.#drop(key, shared);
      return;
    }
    clearTimeout(shared.idle);
    const idleMs = timerMs(this.#settings.idleSeconds ?? DEFAULT_IDLE_SECONDS);
    shared.idle = setTimeout(() => this.#drop(key, shared), idleMs);
    shared.idle.unref();
  }
}

/** Tools of MCP servers. Nothing is connected before the first call; connections are shared. */
export function createMcpTools(settings: McpSettings): McpTools {
  return new SharedConnections(settings);
}
