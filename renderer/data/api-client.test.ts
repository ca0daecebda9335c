import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cancelRun } from '../../server/contract/dashboard/run-actions.ts';
import { listRuns } from '../../server/contract/dashboard/runs.ts';
import { getReplay } from '../../server/contract/platform/run-reads.ts';
import { getRun } from '../../server/contract/platform/runs.ts';
import { CapabilityRefusal } from '../../server/contract/studio/govern.ts';
import { call, READ_LIMIT_MS } from './api-client.ts';
import { ApiError, apiErrorFrom, detailsOf } from './api-error.ts';
import { setEnvironment } from './chosen-environment.ts';
import { setEndpoint } from './endpoint.ts';

/** A gateway whose platform is of another make. */
const gateway = createServer((request, response) => {
  const run = { run_id: 'r', status: 'failed', workflow_kind: 'agent', trace_event_count: 'many' };
  const body = request.url?.endsWith('/runs/r') === true ? run : 'nothing';
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const address = gateway.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  setEndpoint({ baseUrl: `http://127.0.0.1:${port}`, token: null });
});

afterAll(() => {
  setEndpoint(null);
  gateway.close();
});

test('an answer of a platform of another make shows what can be read of it', async () => {
  const run = await call(getRun, { params: { run_id: 'r' } });
  expect(run).toMatchObject({ run_id: 'r', status: 'failed', trace_event_count: 0, error: null });
});

test('an answer with nothing to show, and one of our own that is wrong, are failures', async () => {
  for (const asked of [call(getReplay, { params: { run_id: 'r' } }), call(listRuns)]) {
    const failure = await asked.catch((error: unknown) => error);
    expect(failure instanceof ApiError && failure.code).toBe('response_invalid');
  }
});

test('the details of a refusal are read as the contract declares them for its code', () => {
  const details = { findings: [{ path: 'a', capability: 'b', reason: 7 }, 'broken'] };
  const error = apiErrorFrom(422, new Headers(), { code: 'spec_capability_refused', details });
  expect(detailsOf(error, 'spec_capability_refused', CapabilityRefusal)).toEqual({
    findings: [{ path: 'a', capability: 'b', reason: '' }],
  });
  expect(detailsOf(error, 'another_code', CapabilityRefusal)).toBe(undefined);
  expect(detailsOf(new Error('x'), 'another_code', CapabilityRefusal)).toBe(undefined);
});

test('an environment is named in a header, or in the query where no header carries its name', async () => {
  const asked: { url: string | undefined; env: string | undefined }[] = [];
  const listener = ({ url, headers }: IncomingMessage): void => {
    asked.push({ url, env: headers['x-kneo-env']?.toString() });
  };
  gateway.on('request', listener);
  const list = (headers: Readonly<Record<string, string>> = {}) =>
    call(listRuns, { query: { limit: 1 } }, { headers }).catch(() => undefined);
  setEnvironment('staging');
  await list();
  await list({ 'x-kneo-env': 'Zürich' });
  setEnvironment('生产');
  await list();
  await list({ 'x-kneo-env': 'dev' });
  setEnvironment(null);
  gateway.off('request', listener);
  const path = '/dashboard/api/runs?limit=1';
  expect(asked).toEqual([
    { url: path, env: 'staging' },
    { url: `${path}&env=Z%C3%BCrich`, env: undefined },
    { url: `${path}&env=%E7%94%9F%E4%BA%A7`, env: undefined },
    { url: path, env: 'dev' },
  ]);
});

test('a read that is not answered is given up after a while, a write is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  setEndpoint({
    baseUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    token: null,
  });
  const read = call(listRuns).catch((error: unknown) => error);
  const left = new AbortController();
  const params = { run_id: 'r' };
  const write = call(cancelRun, { params }, { signal: left.signal }).catch(
    (error: unknown) => error,
  );
  let written: unknown;
  void write.then((failure) => {
    written = failure;
  });
  await vi.advanceTimersByTimeAsync(READ_LIMIT_MS);
  expect(await read).toMatchObject({ code: 'no_answer', status: 504, retryAfter: null });
  expect(written).toBe(undefined);
  left.abort();
  await write;
  vi.useRealTimers();
  silent.closeAllConnections();
  silent.close();
});
