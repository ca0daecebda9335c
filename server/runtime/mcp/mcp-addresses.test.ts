// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the notation under test
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { call, closeTools, open, served, TLS, web } from '../../../test/support/mcp-world.ts';
import { openSecrets } from '../secrets.ts';

closeTools();

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
