import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpFailure, HttpRequest } from '../../handlers/http-port.ts';
import type { HttpPolicy } from './guarded-addresses.ts';
import { createHttp } from './http.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const OPEN: HttpPolicy = { allowedDomains: [], deniedDomains: [] };
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/seen': ({ headers, method }, response) => response.end(JSON.stringify({ headers, method })),
  '/away': (_, response) => response.writeHead(302, { location: `${other}/seen` }).end(),
  '/around': (_, response) => response.writeHead(302, { location: '/around' }).end(),
  '/late': () => undefined,
  '/gone': (request) => request.socket.destroy(),
  '/packed': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked')),
  '/bomb': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40_000_000))),
};
const answer = (request: IncomingMessage, response: ServerResponse): void =>
  ANSWERS[request.url ?? '']?.(request, response);
const servers = [createServer(answer), createServer(answer)];
let one = '';
let other = '';

beforeAll(async () => {
  const urls = servers.map(async (server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  [one = '', other = ''] = await Promise.all(urls);
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

function request(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: {}, maxRedirects: 0, timeoutMs: 5_000, ...more };
}

function send(url: string, more: Partial<HttpRequest> = {}, policy = OPEN) {
  return createHttp(policy, new AbortController().signal)(request(url, more));
}

async function seen(url: string, more: Partial<HttpRequest> = {}) {
  const { body } = await send(url, more);
  return JSON.parse(new TextDecoder().decode(body)) as { method: string; headers: object };
}

describe('a request of a step', () => {
  it('keeps what is meant for one origin from another', async () => {
    const headers = { authorization: 'Bearer a', 'x-key': 'b', 'x-plain': 'c' };
    const more = { headers, guarded: ['x-key'], maxRedirects: 3 };
    const { headers: told } = await seen(`${one}/away`, more);
    expect(told).toMatchObject({ 'x-plain': 'c' });
    expect(told).not.toHaveProperty('authorization');
    expect(told).not.toHaveProperty('x-key');
  });

  it('is sent again as GET, without its body, when a POST is redirected', async () => {
    const more = { method: 'POST', body: new Uint8Array(3), maxRedirects: 3 };
    const { method, headers } = await seen(`${one}/away`, more);
    expect(method).toBe('GET');
    expect(headers).not.toHaveProperty('content-length');
  });

  it('answers with the redirect when none is followed, and stops at too many', async () => {
    expect((await send(`${one}/away`)).status).toBe(302);
    const circles = send(`${one}/around`, { maxRedirects: 4 });
    await expect(circles).rejects.toMatchObject({ code: 'ERR_FR_TOO_MANY_REDIRECTS' });
  });

  it('is unpacked, up to the size that an answer may have', async () => {
    const { body, headers } = await send(`${one}/packed`);
    expect(new TextDecoder().decode(body)).toBe('unpacked');
    expect(headers).not.toHaveProperty('content-encoding');
    await expect(send(`${one}/bomb`)).rejects.toThrow('more than 32 MiB');
  });

  it.each([
    ['/late', { timeoutMs: 40 }, 'ECONNABORTED', 'timeout of 40ms exceeded'],
    ['/gone', {}, 'ECONNRESET', 'socket hang up'],
    ['/seen', { headers: { 'x-a': 'b\nc' } }, 'ERR_INVALID_CHAR', 'x-a'],
  ] as const)('fails with what happened at %s', async (path, more, code, words) => {
    const failure = await send(`${one}${path}`, more).catch((error: HttpFailure) => error);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('ends with the reason of the run when that is given up', async () => {
    const ended = new AbortController();
    const sent = createHttp(OPEN, ended.signal)(request(`${one}/late`));
    ended.abort(new Error('given up'));
    await expect(sent).rejects.toThrow('given up');
  });
});

describe('a host is refused', () => {
  it.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://2852039166/',
    'http://metadata.google.internal/',
  ])('where a machine keeps its own keys: %s', async (url) => {
    await expect(send(url)).rejects.toThrow('allowed_domains');
  });

  it('by the lists of the spec, and nothing is sent', async () => {
    const denied = { allowedDomains: ['127.0.0.1'], deniedDomains: ['127.0.0.1'] };
    await expect(send(`${one}/seen`, {}, denied)).rejects.toThrow('in denied_domains');
    const elsewhere = { allowedDomains: ['example.com'], deniedDomains: [] };
    await expect(send(`${one}/seen`, {}, elsewhere)).rejects.toThrow('not in allowed_domains');
  });

  it('behind a redirect as well', async () => {
    const policy = { allowedDomains: [], deniedDomains: ['127.0.0.1'] };
    const local = one.replace('127.0.0.1', 'localhost');
    const sent = send(`${local}/away`, { maxRedirects: 2 }, policy);
    await expect(sent).rejects.toThrow("'127.0.0.1' is in denied_domains");
  });

  it.each(['file:///etc/hostname', 'ftp://example.com/'])('by its scheme: %s', async (url) => {
    await expect(send(url)).rejects.toMatchObject({ code: 'ERR_INVALID_URL' });
  });
});
