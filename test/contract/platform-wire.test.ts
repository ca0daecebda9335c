// Corners of the wire that a foreign client meets (contract/platform.md 1).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

let p: TestPlatform;
beforeAll(async () => {
  p = await startTestPlatform();
});
afterAll(async () => {
  await p.stop();
});

describe('the form of answers (1.1, 1.4)', () => {
  test('every body is plain application/json (RP-001)', async () => {
    const run = await p.post('/v1/runs', { input: 'x', spec: TINY });
    const answers = [
      run,
      await p.get('/v1/runs'),
      await p.get(`/v1/runs/${run.body.run_id}/trace`),
      await p.get('/v1/healthz'),
      await p.get('/readyz'),
      await p.get('/openapi.json'),
      await p.get('/v1/nope'),
      await p.get('/v1/runs', { key: null }),
      await p.call('DELETE', '/v1/runs'),
      await p.post('/v1/runs', {}),
    ];
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/json');
    }
  });

  test('a method that nobody knows is 405 on a path and 404 elsewhere (RP-019)', async () => {
    const known = await p.call('QUERY', '/v1/runs');
    expect([known.status, known.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(known.body.detail.error).toBe('method_not_allowed');
    const unknown = await p.call('QUERY', '/v1/nope');
    expect([unknown.status, unknown.body.detail.error]).toEqual([404, 'not_found']);
  });

  test('headers over the limit are 431 in the envelope; a long search is no such (RP-019, RP-060)', async () => {
    const long = await p.get(`/v1/runs?q=${'a'.repeat(40_000)}`);
    expect([long.status, long.body.total]).toEqual([200, 0]);
    const key = { headers: { 'idempotency-key': 'k'.repeat(30_000) } };
    const body = await p.post('/v1/runs', { input: 'x', spec: TINY }, key);
    expect([body.status, body.body.detail.error]).toEqual([400, 'invalid_idempotency_key']);
    const over = await p.get(`/v1/runs?q=${'a'.repeat(70_000)}`);
    expect(over.status).toBe(431);
    expect(over.body).toEqual({
      detail: { error: 'invalid_request', message: expect.any(String) },
    });
    expect(over.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('what is left out is missing, also where one of several words is wanted (RP-117)', async () => {
    const answer = await p.post('/v1/human-tasks/x/resume', { content: 5 });
    const errors = answer.body.detail.errors.map((issue: { loc: string[]; type: string }) => [
      issue.loc.join('.'),
      issue.type,
    ]);
    expect(errors).toEqual([
      ['body.request_id', 'missing'],
      ['body.decision', 'missing'],
      ['body.content', 'string_type'],
    ]);
  });
});

describe('values (1.6, 3.3)', () => {
  test('integers are numeric texts (RP-151)', async () => {
    for (const limit of ['5', '05', '%2B5', '5.0', '%205']) {
      const answer = await p.get(`/v1/runs?limit=${limit}`);
      expect([limit, answer.status, answer.body.limit]).toEqual([limit, 200, 5]);
    }
    for (const limit of ['5.5', '1e1', '0x5', '', 'five', '5,0']) {
      const answer = await p.get(`/v1/runs?limit=${limit}`);
      expect([limit, answer.status, answer.body.detail.errors[0].type]).toEqual([
        limit,
        422,
        'int_parsing',
      ]);
    }
  });

  test('creation times in every ISO-8601 spelling bound the list alike (RP-058, RP-121)', async () => {
    const session = 'bounds';
    await p.post('/v1/runs', { input: 'x', spec: TINY, session_id: session });
    const total = async (query: string) =>
      (await p.get(`/v1/runs?session_id=${session}&${query}`)).body.total;
    for (const past of [
      '20200101',
      '2020-W01-1',
      '2020-01-01T00',
      '20200101T000000Z',
      '0001-01-01',
    ]) {
      expect([past, await total(`created_after=${past}`)]).toEqual([past, 1]);
      expect([past, await total(`created_before=${past}`)]).toEqual([past, 0]);
    }
    expect(await total('created_before=9999-12-31T23:59:59.999999')).toBe(1);
  });
});
