import type { McpServer } from '../../spec/schema/spec-types.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
/** More is not read into memory, whatever a spec asks for. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Seconds that one call of a server's tool may take by the server's own settings. */
export function serverTimeoutSeconds(server: McpServer): number {
  const { timeout } = server;
  return timeout === null || timeout <= 0 ? DEFAULT_TIMEOUT_SECONDS : timeout;
}

/** Bytes of one answer of a server. */
export function serverMaxBytes(server: McpServer): number {
  const limit = server.max_response_bytes;
  return limit === null || limit <= 0 ? DEFAULT_MAX_BYTES : Math.min(limit, MOST_BYTES);
}

/** So that the limit of a call speaks before the limit of the stream that it waits on. */
const IDLE_SLACK_SECONDS = 1;

/** Seconds of silence after which an event stream of a server counts as gone. */
export function serverIdleSeconds(server: McpServer): number {
  const limit = server.sse_read_timeout;
  return limit === null || limit <= 0 ? serverTimeoutSeconds(server) + IDLE_SLACK_SECONDS : limit;
}
