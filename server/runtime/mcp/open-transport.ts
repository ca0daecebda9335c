import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { timerMs } from '../../kernel/timer-limit.ts';
import type { McpServer } from '../../spec/schema/spec-types.ts';
import { IdleWatch } from './answer-body.ts';
import { McpFailure } from './mcp-failure.ts';
import { serverIdleSeconds, serverMaxBytes } from './mcp-limits.ts';
import type { ResolvedServer } from './named-secrets.ts';
import { ProcessTransport } from './process-transport.ts';
import { createServerFetch } from './server-fetch.ts';

/** What a started program may know of the service's own environment: where things are, no secret. */
const INHERITED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE'],
  ...['PATHEXT', 'COMSPEC', 'PROGRAMFILES', 'HOMEDRIVE', 'HOMEPATH'],
];

/** What a server is opened with. */
export interface OpenServer {
  readonly name: string;
  readonly server: McpServer;
  readonly resolved: ResolvedServer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative files and folders of the settings are below this one. */
  readonly root: string;
}

/** A transport that is not started, and what is known of it beside. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Tells an HTTP server that its session is over. */
  endSession(): Promise<void>;
  /** What a program said last on its error stream. */
  lastWords(): string;
}

function inherited(env: OpenServer['env']): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function stdioTransport(options: OpenServer): OpenedTransport {
  const { server, resolved, root } = options;
  const settings = {
    command: server.command ?? '',
    args: [...server.args],
    env: { ...inherited(options.env), ...resolved.env },
    cwd: path.resolve(root, server.cwd ?? '.'),
  };
  const endSession = (): Promise<void> => Promise.resolve();
  if (process.platform === 'win32') {
    // Windows has no process groups, and its command files need the quoting that this one knows.
    const maxBufferSize = serverMaxBytes(server);
    const transport = new StdioClientTransport({ ...settings, maxBufferSize, stderr: 'ignore' });
    return { transport, endSession, lastWords: () => '' };
  }
  const transport = new ProcessTransport({ ...settings, maxBytes: serverMaxBytes(server) });
  return { transport, endSession, lastWords: () => transport.lastWords };
}

async function readPem(options: OpenServer, file: string | null): Promise<string | undefined> {
  if (file === null) return undefined;
  try {
    return await readFile(path.resolve(options.root, file), 'utf8');
  } catch {
    throw new McpFailure(
      'refused',
      `MCP server '${options.name}': a certificate or key file of its settings cannot be read.`,
    );
  }
}

async function fetchOf(options: OpenServer): Promise<FetchLike> {
  const { server, resolved } = options;
  const idleSeconds = serverIdleSeconds(server);
  return createServerFetch({
    tls: {
      verify: server.verify !== false,
      ca: await readPem(options, server.ca_bundle),
      cert: await readPem(options, server.client_cert),
      key: resolved.clientKey ?? (await readPem(options, server.client_key)),
    },
    limits: { maxBytes: serverMaxBytes(server), idle: new IdleWatch(timerMs(idleSeconds)) },
  });
}

function addressOf(options: OpenServer, text: string | null): URL {
  const url = text === null || !URL.canParse(text) ? undefined : new URL(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new McpFailure('refused', `MCP server '${options.name}' has no http(s) address.`);
}

async function httpTransport(options: OpenServer): Promise<OpenedTransport> {
  const url = addressOf(options, options.server.url);
  const send = await fetchOf(options);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: options.resolved.headers },
    // Nothing is awaited outside the answers, so no stream for the server's own messages is opened.
    fetch: (input, init) =>
      init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')
        ? Promise.resolve(new Response(null, { status: 405 }))
        : send(input, init),
  });
  return { transport, endSession: () => transport.terminateSession(), lastWords: () => '' };
}

/** Where messages go: `message_url` of the settings, with the session that the server announced. */
function messageAddress(configured: URL, announced: URL): URL {
  if (configured.search !== '') return configured;
  const url = new URL(configured);
  url.search = announced.search;
  return url;
}

async function sseTransport(options: OpenServer): Promise<OpenedTransport> {
  const { server, resolved } = options;
  const send = await fetchOf(options);
  const configured = server.message_url === null ? null : addressOf(options, server.message_url);
  const transport = new SSEClientTransport(addressOf(options, server.sse_url), {
    requestInit: { headers: resolved.headers },
    fetch: (input, init) =>
      init?.method === 'POST' && configured !== null
        ? send(messageAddress(configured, new URL(input)), init)
        : send(input, init),
  });
  return { transport, endSession: () => Promise.resolve(), lastWords: () => '' };
}

/**
 * The transport of a server's settings (spec-v1 4, McpServer).
 * @throws McpFailure when the settings cannot be used.
 */
export async function openTransport(options: OpenServer): Promise<OpenedTransport> {
  switch (options.server.transport) {
    case 'stdio':
      return stdioTransport(options);
    case 'http':
      return httpTransport(options);
    case 'sse':
      return sseTransport(options);
  }
}
