import { afterAll, describe, expect, it } from 'vitest';
import { startPeer } from '../../../../test/support/n8n-peer.ts';
import { n8nPorts } from '../../../../test/support/n8n-ports.ts';
import { requestsOfCode } from './code-request.ts';

const peer = await startPeer();
const base = `http://${peer.host}/c/code`;
const ask = requestsOfCode(n8nPorts().http);
afterAll(() => peer.close());

describe('code asks over HTTP', () => {
  it('and gets JSON as a value and other texts as they are', async () => {
    expect(await ask({ url: `${base}/json/array` })).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await ask(`${base}/text`)).toBe('plain hello');
  });

  it('with a query, headers and a body', async () => {
    const options = { method: 'post', baseURL: base, url: '/echo', qs: { a: [1] }, body: { b: 2 } };
    expect(await ask({ ...options, headers: { 'X-K': 1 } })).toMatchObject({
      method: 'POST',
      query: [['a[0]', '1']],
      headers: { 'content-type': 'application/json', 'x-k': '1' },
      body: '{"b":2}',
    });
    const form = { method: 'POST', uri: `${base}/echo`, form: { a: 'b c' } };
    expect(await ask(form)).toMatchObject({ body: 'a=b%20c' });
  });

  it('and learns of a refusal, unless it takes every answer', async () => {
    const url = `${base}/status/404`;
    await expect(ask({ url })).rejects.toThrow('Request failed with status code 404');
    const taken = { url, ignoreHttpStatusErrors: true, returnFullResponse: true };
    expect(await ask(taken)).toMatchObject({ statusCode: 404, body: { code: 'E404' } });
  });
});
