// MCP servers of every kind, and a service's connections to them.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import {
  createMcpTools,
  type McpSettings,
  type McpTools,
} from '../../server/runtime/mcp/mcp-tools.ts';
import { openSecrets } from '../../server/runtime/secrets.ts';
import type { McpServer } from '../../server/spec/schema/spec-types.ts';
import { startMcpHttpServer, type TestMcpHttpServer } from './mcp-http-server.ts';

const STDIO = fileURLToPath(new URL('./mcp-stdio-server.ts', import.meta.url));
export const TLS = fileURLToPath(new URL('../fixtures/tls', import.meta.url));
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const EMPTY: McpServer = {
  transport: 'stdio',
  command: null,
  args: [],
  env: null,
  cwd: null,
  url: null,
  sse_url: null,
  message_url: null,
  headers: null,
  timeout: 5,
  max_response_bytes: null,
  sse_read_timeout: null,
  verify: null,
  ca_bundle: null,
  client_cert: null,
  client_key: null,
  client_key_ref: null,
};

export let tools: McpTools;
export let web: TestMcpHttpServer | undefined;
export const signal = new AbortController().signal;

export function open(settings: Partial<McpSettings> = {}): void {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/home/nobody',
    SECRET_TOKEN: 'very-secret-value',
  };
  tools = createMcpTools({
    env,
    secrets: openSecrets(env, settings.trusted ?? true),
    root: ROOT,
    trusted: true,
    retries: 0,
    backoffSeconds: 0,
    timeoutSeconds: undefined,
    retryOnTimeout: false,
    connectTimeoutSeconds: 5,
    version: '1.0.0',
    ...settings,
  });
}
export function program(mode = 'plain', more: Partial<McpServer> = {}): McpServer {
  return { ...EMPTY, command: process.execPath, args: [STDIO, mode], ...more };
}

export async function served(
  transport: 'http' | 'sse',
  more: Partial<McpServer> = {},
  options = {},
): Promise<McpServer> {
  web = await startMcpHttpServer(options);
  return { ...EMPTY, transport, url: web.url, sse_url: web.sseUrl, ...more };
}

export async function serverOf(kind: string, more: Partial<McpServer> = {}): Promise<McpServer> {
  if (kind === 'stdio') return program('plain', more);
  if (kind === 'json') return served('http', more, { json: true });
  return served(kind === 'sse' ? 'sse' : 'http', more);
}

export function call(server: McpServer, tool: string, query = 'q', stop = signal): Promise<string> {
  return tools.call({ name: 'shop', server, tool, arguments: { query } }, stop);
}

/** A zombie that nobody reaps counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export async function noSessions(): Promise<void> {
  for (let turn = 0; turn < 100 && (web?.sessions() ?? 0) > 0; turn += 1) await sleep(10);
  expect(web?.sessions() ?? 0).toBe(0);
}

export const KINDS = ['stdio', 'http', 'json', 'sse'];

/** What a test of the file that calls this opened is closed after it. */
export function closeTools(): void {
  afterEach(async () => {
    await tools.close();
    await web?.stop();
    web = undefined;
  });
}
