import { describe, expect, test } from 'vitest';
import {
  asWindow,
  freshGateways,
  gateway,
  keeper,
  stored,
} from '../../test/support/gateway-world.ts';

freshGateways();

describe('keys of model providers (ux.md place 9, decisions 25)', () => {
  const send = async (method: string, name: string, body?: string) => {
    const headers = { ...asWindow(), 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/gateway/model-keys/${name}`, {
      method,
      headers: body === undefined ? asWindow() : headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const key = JSON.stringify({ key: ' sk-live-1 ' });

  test('a key is stored, listed without its value, and removed', async () => {
    const put = await send('PUT', 'OPENAI_API_KEY', key);
    expect([put.status, stored.get('OPENAI_API_KEY')]).toEqual([200, 'sk-live-1']);
    const list = await fetch(`${gateway.url}/gateway/model-keys`, { headers: asWindow() });
    const text = await list.text();
    expect(text).toContain('OPENAI_API_KEY');
    expect(put.text + text).not.toContain('sk-live');
    expect((await send('DELETE', 'OPENAI_API_KEY')).status).toBe(204);
    expect((await send('DELETE', 'OPENAI_API_KEY')).status).toBe(404);
  });

  test('names of the services, bad names, bad keys and unreadable bodies are refused', async () => {
    const codes = [
      await send('PUT', 'SERV_API_KEY', key),
      await send('PUT', 'openai', key),
      await send('PUT', 'OPENAI_API_KEY', JSON.stringify({ key: 'two\nlines' })),
      await send('PUT', 'OPENAI_API_KEY', JSON.stringify({ key: '  ' })),
      await send('PUT', 'OPENAI_API_KEY', '{'),
    ].map(({ status, text }) => [status, JSON.parse(text).code]);
    expect(codes).toEqual([
      [400, 'key_name_refused'],
      [400, 'key_name_refused'],
      [400, 'key_refused'],
      [400, 'key_refused'],
      [400, 'request_invalid'],
    ]);
    expect(stored.size).toBe(0);
  });

  test("secrets of the program's own are not removed as keys", async () => {
    for (const name of ['remote:team', 'platform:prod.1', 'lower']) {
      stored.set(name, 'token');
      const { status, text } = await send('DELETE', encodeURIComponent(name));
      expect([status, JSON.parse(text).code, stored.get(name)]).toEqual([
        404,
        'not_found',
        'token',
      ]);
    }
  });

  test('a platform of another computer takes no key from here', async () => {
    keeper.here = false;
    const { status, text } = await send('PUT', 'OPENAI_API_KEY', key);
    expect([status, JSON.parse(text).code]).toEqual([409, 'keys_not_here']);
  });

  test('who is not signed in neither lists nor stores', async () => {
    const url = `${gateway.url}/gateway/model-keys`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}/OPENAI_API_KEY`, { method: 'PUT', body: key })).status).toBe(401);
    expect(stored.size).toBe(0);
  });
});
