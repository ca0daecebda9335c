// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the notation under test
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  call,
  closeTools,
  isRunning,
  KINDS,
  noSessions,
  open,
  program,
  ROOT,
  serverOf,
  signal,
  tools,
  web,
} from '../../../test/support/mcp-world.ts';

closeTools();

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
    const begun = expect.poll(() => web === undefined || web.calls.includes('hang')).toBe(true);
    begun.then(() => controller.abort());
    // A call that met its own limit would say so instead.
    await expect(hanging).rejects.toThrow('stopped');
    if (web === undefined) return;
    await expect.poll(() => web?.cancelled).toContain('hang');
  });

  test('a server that goes away during a call fails that call soon; the next one connects anew', async () => {
    open();
    const server = await serverOf(kind, { timeout: 60 });
    await call(server, 'web_search');
    const began = performance.now();
    await expect(call(server, 'crash')).rejects.toMatchObject({ fault: 'unreachable' });
    expect(performance.now() - began).toBeLessThan(30_000);
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
    await expect.poll(() => pids.map(isRunning), { timeout: 2000 }).toEqual([false, false]);
  });

  test('that do not want to end are ended', async () => {
    open();
    const [pid = 0] = (await call(program('stubborn'), 'offspring'))
      .split(' ')
      .slice(1)
      .map(Number);
    await tools.close();
    await expect.poll(() => isRunning(pid), { timeout: 2000 }).toBe(false);
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
    await expect(call(program('mute'), 'web_search', 'q', controller.signal)).rejects.toThrow(
      'stopped',
    );
    const waiting = call(program('mute'), 'web_search').catch((error: Error) => error.message);
    await sleep(50);
    await tools.close();
    expect(await waiting).toContain('stopped');
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
