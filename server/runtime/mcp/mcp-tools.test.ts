// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the notation under test
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import {
  startMcpHttpServer,
  type TestMcpHttpServer,
} from '../../../test/support/mcp-http-server.ts';
import type { McpServer } from '../../spec/schema/spec-types.ts';
import { openSecrets } from '../secrets.ts';
import { createMcpTools, type McpSettings, type McpTools } from './mcp-tools.ts';

const STDIO = fileURLToPath(new URL('../../../test/support/mcp-stdio-server.ts', import.meta.url));
const TLS = fileURLToPath(new URL('../../../test/fixtures/tls', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

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

let tools: McpTools;
let web: TestMcpHttpServer | undefined;
const signal = new AbortController().signal;

function open(settings: Partial<McpSettings> = {}): void {
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

afterEach(async () => {
  await tools.close();
  await web?.stop();
  web = undefined;
});

function program(mode = 'plain', more: Partial<McpServer> = {}): McpServer {
  return { ...EMPTY, command: process.execPath, args: [STDIO, mode], ...more };
}

async function served(
  transport: 'http' | 'sse',
  more: Partial<McpServer> = {},
  options = {},
): Promise<McpServer> {
  web = await startMcpHttpServer(options);
  return { ...EMPTY, transport, url: web.url, sse_url: web.sseUrl, ...more };
}

async function serverOf(kind: string, more: Partial<McpServer> = {}): Promise<McpServer> {
  if (kind === 'stdio') return program('plain', more);
  if (kind === 'json') return served('http', more, { json: true });
  return served(kind === 'sse' ? 'sse' : 'http', more);
}

function call(server: McpServer, tool: string, query = 'q', stop = signal): Promise<string> {
  return tools.call({ name: 'shop', server, tool, arguments: { query } }, stop);
}

/** A zombie that nobody reaps counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function noSessions(): Promise<void> {
  for (let turn = 0; turn < 100 && (web?.sessions() ?? 0) > 0; turn += 1) await sleep(10);
  expect(web?.sessions() ?? 0).toBe(0);
}

const KINDS = ['stdio', 'http', 'json', 'sse'];

describe.each(KINDS)('spec-v1 11.3 over %s', (kind) => {
  test('a call connects, later calls share the connection; every kind of content becomes text', async () => {
    open();
    const server = await serverOf(kind);
    expect(await call(server, 'web_search', 'gears')).toBe('found: gears');
    expect(await Promise.all([call(server, 'picture'), call(server, 'structured')])).toEqual([
      'a dot\n[image image/png, 70 bytes]\n[resource file:///dot.png]\ninside',
      '{"parts":3}',
    ]);
    expect(await call(server, 'vanish')).toBe('the list changed');
    if (web === undefined) return;
    expect(web.requests.filter((line) => line === 'POST initialize')).toHaveLength(1);
    expect(web.requests.indexOf('POST notifications/initialized')).toBeLessThan(
      web.requests.indexOf('POST tools/call'),
    );
  });

  test('isError, unknown tools and bad arguments are failures with the text of the server', async () => {
    open();
    const server = await serverOf(kind);
    await expect(call(server, 'fails')).rejects.toThrow('the backend is offline');
    await expect(call(server, 'no_such')).rejects.toThrow(/no_such/);
    const wrong = { name: 'shop', server, tool: 'web_search', arguments: { query: 4 } };
    await expect(tools.call(wrong, signal)).rejects.toThrow(/query/);
  });

  test('a hanging call ends at the timeout, the server is told, the next call works', async () => {
    open();
    const server = await serverOf(kind, { timeout: 0.3 });
    await expect(call(server, 'hang')).rejects.toMatchObject({
      message: expect.stringContaining('no answer within 0.3 s'),
      facts: { timed_out: true, type: 'RetryTimeoutError' },
    });
    expect(await call(server, 'web_search')).toBe('found: q');
    if (web !== undefined) expect(web.cancelled).toContain('hang');
  });

  test('time limits of months are no timeouts at once', async () => {
    open({ connectTimeoutSeconds: 9_000_000 });
    const server = await serverOf(kind, { timeout: 9_000_000, sse_read_timeout: 9_000_000 });
    expect(await call(server, 'web_search')).toBe('found: q');
    expect(await call(server, 'web_search')).toBe('found: q');
  });

  test('an abort ends the call at once and tells the server', async () => {
    open();
    const server = await serverOf(kind);
    await call(server, 'web_search');
    const controller = new AbortController();
    const hanging = call(server, 'hang', 'q', controller.signal);
    setTimeout(() => controller.abort(), 50);
    const began = performance.now();
    await expect(hanging).rejects.toThrow('stopped');
    expect(performance.now() - began).toBeLessThan(1000);
    if (web === undefined) return;
    for (let turn = 0; turn < 100 && web.cancelled.length === 0; turn += 1) await sleep(10);
    expect(web.cancelled).toContain('hang');
  });

  test('a server that goes away during a call fails that call soon; the next one connects anew', async () => {
    open();
    const server = await serverOf(kind);
    await call(server, 'web_search');
    const began = performance.now();
    await expect(call(server, 'crash')).rejects.toMatchObject({ fault: 'unreachable' });
    expect(performance.now() - began).toBeLessThan(2000);
    expect(await call(server, 'web_search')).toBe('found: q');
  });

  test('an answer over the limit is refused and never held', async () => {
    open();
    const server = await serverOf(kind, { max_response_bytes: 50_000 });
    await expect(call(server, 'huge')).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('larger than 50000 bytes'),
    });
    expect(await call(server, 'web_search')).toBe('found: q');
  });

  test('what is no message does not disturb; a call that it was to answer times out', async () => {
    if (kind === 'json') return;
    open();
    const server = await serverOf(kind, { timeout: 0.4 });
    await expect(call(server, 'garbage')).rejects.toThrow(/no answer within 0.4 s/);
    expect(await call(server, 'web_search')).toBe('found: q');
  });

  test('a connection that nobody uses is closed after a while and on close', async () => {
    open({ idleSeconds: 0.1 });
    const server = await serverOf(kind);
    await call(server, 'web_search');
    await sleep(150);
    await noSessions();
    expect(await call(server, 'web_search')).toBe('found: q');
    await tools.close();
    await noSessions();
    await expect(call(server, 'web_search')).rejects.toThrow('stopping');
  });
});

describe('programs', () => {
  test('start in trusted projects only', async () => {
    open({ trusted: false });
    await expect(call(program(), 'web_search')).rejects.toThrow('not trusted');
  });

  test('know their own variables and the usual ones, no secret of the service', async () => {
    open();
    const server = program('plain', { env: { MODE: 'demo', KEY: 'k-${SECRET_TOKEN}' } });
    const seen = JSON.parse(await call(server, 'variables'));
    expect(seen).toMatchObject({ MODE: 'demo', KEY: 'k-very-secret-value', HOME: '/home/nobody' });
    expect(Object.keys(seen)).not.toContain('SECRET_TOKEN');
  });

  test('end with everything that they started', async () => {
    open();
    const pids = (await call(program(), 'offspring')).split(' ').slice(1).map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await tools.close();
    await sleep(50);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('that do not want to end are ended', async () => {
    open();
    const [pid = 0] = (await call(program('stubborn'), 'offspring'))
      .split(' ')
      .slice(1)
      .map(Number);
    await tools.close();
    expect(isRunning(pid)).toBe(false);
  });

  test('that crash say how and their last words, without secrets', async () => {
    open();
    const crash = call(program(), 'crash');
    await expect(crash).rejects.toThrow(/exit code 7.*out of cheese/s);
    const refuses = await call(program('refuses'), 'web_search').catch((error: Error) => error);
    expect(String(refuses)).toContain('exit code 3');
    expect(String(refuses)).not.toContain('sk-aaaa');
  });

  test('that cannot be started, do not speak, or speak another version are told apart', async () => {
    open({ connectTimeoutSeconds: 0.5 });
    const missing = { ...program(), command: './no/such/program' };
    await expect(call(missing, 'web_search')).rejects.toThrow('cannot be started');
    await expect(call(program('mute'), 'web_search')).rejects.toThrow(
      'did not connect within 0.5 s',
    );
    open();
    await expect(call(program('old'), 'web_search')).rejects.toThrow('version is not supported');
  });

  test('that do not speak hold up neither an abort nor the end of the service', async () => {
    open();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const began = performance.now();
    await expect(call(program('mute'), 'web_search', 'q', controller.signal)).rejects.toThrow(
      'stopped',
    );
    expect(performance.now() - began).toBeLessThan(1000);
    const waiting = call(program('mute'), 'web_search').catch((error: Error) => error.message);
    await sleep(50);
    await tools.close();
    expect(await waiting).toContain('stopped');
    expect(performance.now() - began).toBeLessThan(4000);
  });

  test('may write what they like to their error stream and banners to the other', async () => {
    open();
    expect(await call(program('noisy'), 'web_search')).toBe('found: q');
  });

  test('start in the folder of their settings, below the project', async () => {
    open();
    const server = { ...program(), args: ['mcp-stdio-server.ts'], cwd: 'test/support' };
    expect(await call(server, 'web_search')).toBe('found: q');
  });
});

test('a killed service leaves no program behind', async () => {
  open();
  const script = `
    import { createMcpTools } from './server/runtime/mcp/mcp-tools.ts';
    import { openSecrets } from './server/runtime/secrets.ts';
    const tools = createMcpTools({ env: {}, secrets: openSecrets({}, true), root: '.', trusted: true,
      retries: 0, backoffSeconds: 0, timeoutSeconds: 5, retryOnTimeout: false,
      connectTimeoutSeconds: 5, version: '1' });
    const server = ${JSON.stringify(program())};
    const call = { name: 's', server, tool: 'offspring', arguments: {} };
    console.log(await tools.call(call, new AbortController().signal));
    setInterval(() => undefined, 1000);`;
  const service = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(service.stdout, 'data');
  const [pid = 0, child = 0] = String(line).match(/\d+/g)?.map(Number) ?? [];
  expect(isRunning(pid)).toBe(true);
  service.kill('SIGKILL');
  for (let turn = 0; turn < 200 && isRunning(pid); turn += 1) await sleep(10);
  await sleep(20);
  expect([pid, child].map(isRunning)).toEqual([false, false]);
});

describe('addresses', () => {
  test('headers are sent with the secrets that they name; a missing one stops the call', async () => {
    open();
    const server = await served('http', {
      headers: { 'X-Token': '${SECRET_TOKEN}', 'X-Plain': 'a' },
    });
    await call(server, 'web_search');
    const headers = web?.headers.at(-1);
    expect(headers).toMatchObject({ 'x-token': 'very-secret-value', 'x-plain': 'a' });
    const missing = { ...server, headers: { 'X-Token': '${NO_SUCH_TOKEN}' } };
    await expect(call(missing, 'web_search')).rejects.toThrow('NO_SUCH_TOKEN');
  });

  test('a secret that a server repeats is masked', async () => {
    open();
    const server = await served('http', { headers: { 'X-Token': '${SECRET_TOKEN}' } });
    await call(server, 'web_search');
    Object.assign(web?.faults ?? {}, {
      body: '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"bad very-secret-value"}}',
    });
    await expect(call(server, 'web_search')).rejects.toThrow('bad [REDACTED]');
  });

  test('an untrusted project names no variables', async () => {
    open({ trusted: false });
    const server = await served('http', { headers: { 'X-Token': '${SECRET_TOKEN}' } });
    await expect(call(server, 'web_search')).rejects.toThrow(
      'a folder that is not trusted may not read',
    );
    expect(web?.requests).toEqual([]);
  });

  test('a server that forgot the session is connected again, once, without a failed call', async () => {
    open();
    const server = await served('http');
    await call(server, 'web_search');
    web?.restart();
    expect(await call(server, 'web_search')).toBe('found: q');
    expect(web?.requests.filter((line) => line === 'POST initialize')).toHaveLength(2);
  });

  test('retries follow the settings: passing faults only', async () => {
    open({ retries: 2, backoffSeconds: 0.01 });
    const server = await served('http');
    Object.assign(web?.faults ?? {}, { status: 503 });
    await expect(call(server, 'web_search')).rejects.toThrow('HTTP 503');
    expect(web?.requests).toHaveLength(3);
    Object.assign(web?.faults ?? {}, { status: 401 });
    await expect(call(server, 'web_search')).rejects.toThrow('HTTP 401');
    expect(web?.requests).toHaveLength(4);
  });

  test('timeouts are retried only when the settings say so', async () => {
    open({ retries: 1, retryOnTimeout: true });
    const server = await served('http', { timeout: 0.2 });
    await expect(call(server, 'hang')).rejects.toThrow('no answer');
    expect(web?.calls).toEqual(['hang', 'hang']);
  });

  test('SERV_MCP_TIMEOUT_SECONDS cuts the timeout of a server', async () => {
    open({ timeoutSeconds: 0.2, connectTimeoutSeconds: undefined });
    const server = await served('http');
    await expect(call(server, 'hang')).rejects.toThrow('no answer within 0.2 s');
  });

  test('a redirect to another origin is not followed', async () => {
    open();
    const server = await served('http');
    Object.assign(web?.faults ?? {}, { redirect: 'http://localhost:1/mcp' });
    await expect(call(server, 'web_search')).rejects.toThrow(/redirect/i);
  });

  test('silence, refused connections, other answers and other schemes end as failures', async () => {
    open({ connectTimeoutSeconds: 0.3 });
    const server = await served('http');
    Object.assign(web?.faults ?? {}, { silent: true });
    await expect(call(server, 'web_search')).rejects.toThrow('did not connect within 0.3 s');
    Object.assign(web?.faults ?? {}, { silent: false, body: '<html>' });
    await expect(call(server, 'web_search')).rejects.toMatchObject({ name: 'EffectFailure' });
    const closed = { ...server, url: 'http://127.0.0.1:1/mcp' };
    await expect(call(closed, 'web_search')).rejects.toThrow('refuses connections');
    const other = { ...server, url: 'file:///etc/passwd' };
    await expect(call(other, 'web_search')).rejects.toThrow('no http(s) address');
  });

  test('an idle event stream is closed by its limit and opened again by the next call', async () => {
    open();
    const server = await served('sse', { sse_read_timeout: 0.2 });
    await call(server, 'web_search');
    await sleep(500);
    expect(web?.sessions()).toBe(0);
    expect(await call(server, 'web_search')).toBe('found: q');
  });

  test('message_url says where messages go; the session of the stream goes with them', async () => {
    open();
    const server = await served('sse');
    const message_url = server.sse_url?.replace('/sse', '/elsewhere') ?? '';
    expect(await call({ ...server, message_url }, 'web_search')).toBe('found: q');
  });

  test('certificates: the server is checked, the client shows its own', async () => {
    const pem = (name: string) => readFileSync(path.join(TLS, name), 'utf8');
    const env = { CLIENT_KEY: pem('client-key.pem') };
    open({ env, secrets: openSecrets(env, true) });
    const tls = {
      key: pem('server-key.pem'),
      cert: pem('server-cert.pem'),
      ca: pem('client-cert.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    };
    const client = { client_cert: path.join(TLS, 'client-cert.pem') };
    const known = { ca_bundle: path.join(TLS, 'server-cert.pem') };
    const byFile = { client_key: path.join(TLS, 'client-key.pem') };
    const byName = { client_key_ref: 'CLIENT_KEY', client_key: '/no/such/file' };
    const server = await served('http', {}, { tls });
    await expect(call(server, 'web_search')).rejects.toThrow(/self.signed/);
    await expect(call({ ...server, ...known }, 'web_search')).rejects.toThrow('MCP server');
    for (const more of [
      { ...known, ...client, ...byFile },
      { ...known, ...client, ...byName },
      { verify: false, ...client, ...byFile },
    ]) {
      expect(await call({ ...server, ...more }, 'web_search')).toBe('found: q');
    }
    const missing = { ...server, ca_bundle: 'no/such.pem' };
    await expect(call(missing, 'web_search')).rejects.toThrow('cannot be read');
  });

  test('client_key_ref names a secret', async () => {
    open();
    const server = await served('http', { client_key_ref: 'NO_SUCH_KEY' });
    await expect(call(server, 'web_search')).rejects.toThrow('NO_SUCH_KEY');
  });
});
