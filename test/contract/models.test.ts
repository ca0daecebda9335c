// Models over the wire: a real platform, a real HTTP server in place of the provider.
import { describe, expect, test } from 'vitest';
import type { ModelFault } from '../support/model-server.ts';
import {
  desk,
  KEY,
  KEY_FAULT,
  latest,
  open,
  PROVIDERS,
  p,
  run,
  server,
  shareModels,
  TOOLS,
} from '../support/models-world.ts';
import type { Loose } from '../support/platform.ts';

shareModels();

describe.each(PROVIDERS)('%s', (provider, format) => {
  test('answers a run: output, usage, trace (spec-v1 10, 17; RP-061)', async () => {
    server.reply({ text: 'It is on its way.', usage: { input: 30, output: 6 } });
    const answer = await run(
      desk({ provider, format, model: { max_tokens: 99, temperature: 0.1 } }),
    );
    expect([answer.status, answer.body.status, answer.body.output_text]).toEqual([
      200,
      'completed',
      'It is on its way.',
    ]);
    const stored = await p.get(`/v1/runs/${answer.body.run_id}`);
    expect(stored.body.usage).toEqual({ input_tokens: 30, output_tokens: 6, total_tokens: 36 });
    expect(stored.body.metadata).toMatchObject({
      runtime_mode: 'native',
      runtime_name: `simple@${provider}`,
      sdk: provider,
    });
    expect(stored.body.metadata.model_warning).toBeUndefined();
    const trace = await p.get(`/v1/runs/${answer.body.run_id}/trace`);
    const { events } = trace.body;
    expect(events.map((event: Loose) => event.type)).toEqual([
      'run_started',
      'model_started',
      'model_completed',
      'run_completed',
    ]);
    const [begun, asked, answered] = events;
    expect(asked).toMatchObject({
      parent_event_id: begun.event_id,
      parent_span_id: begun.span_id,
      model_provider: provider,
      model_name: 'm-1',
      metadata: { attempt: 1, iteration: 1, phase: 'answer' },
    });
    expect(answered).toMatchObject({
      parent_event_id: asked.event_id,
      span_id: asked.span_id,
      parent_span_id: begun.span_id,
      ...{ input_preview: null, output_preview: null, error: null },
      metadata: {
        duration_ms: expect.any(Number),
        usage: { input_tokens: 30, output_tokens: 6, total_tokens: 36 },
      },
    });
    expect(events[3]).toMatchObject({
      runtime_mode: 'native',
      model_provider: provider,
      model_name: 'm-1',
      output_preview: 'It is on its way.',
    });
    const [request] = server.requests;
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain('Answer in one sentence.');
    expect(sent).toContain('Where is order A-7?');
    expect(sent).toContain('0.1');
    expect(sent).toContain('99');
  });

  test('a tool loop ends with the answer that follows the result (spec-v1 11.2, 11.3)', async () => {
    server.reply(
      { text: 'Let me look.', toolCalls: [{ id: 'c1', name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: 'A-7 was shipped.' },
    );
    const answer = await run(desk({ provider, format, ...TOOLS }));
    expect([answer.status, answer.body.output_text]).toEqual([200, 'A-7 was shipped.']);
    expect(answer.body.metadata.iterations).toBe(2);
    const stored = await p.get(`/v1/runs/${answer.body.run_id}`);
    expect(stored.body.usage).toEqual({ input_tokens: 22, output_tokens: 14, total_tokens: 36 });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('order A-7 was shipped');
  });
});

describe('tools', () => {
  test('a tool that throws is told to the model; the loop goes on', async () => {
    server.reply(
      { toolCalls: [{ name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: 'The warehouse is closed.' },
    );
    const spec = desk(TOOLS);
    spec.tools = { lookup: { ...TOOLS.more.tools.lookup, implementation: 'orders.broken' } };
    expect((await run(spec)).body.output_text).toBe('The warehouse is closed.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('the warehouse is closed');
  });

  test('arguments that do not fit are refused: sync 422, async failed (11.3)', async () => {
    server.answerWith(() => ({ toolCalls: [{ name: 'lookup', arguments: { wrong: 1 } }] }));
    const sync = await run(desk(TOOLS));
    expect([sync.status, sync.body.detail.error]).toEqual([422, 'guardrail_violation']);
    const { body } = await run(desk(TOOLS), { async_mode: true });
    const failed = await p.waitFor(body.run_id, 'failed');
    expect(failed.body.error.type).toBe('ToolMiddlewareViolation');
  });
});

describe('faults end a run in the status and code of the contract (4.2, 6.3)', () => {
  const cases: [string, ModelFault, string][] = [
    ['a refused key', KEY_FAULT, 'model_key_refused'],
    [
      'an unknown model',
      { kind: 'status', status: 404, code: 'model_not_found' },
      'model_not_found',
    ],
    ['a rate limit', { kind: 'status', status: 429 }, 'model_rate_limited'],
    ['a failing server', { kind: 'status', status: 500 }, 'model_server_failed'],
    ['malformed frames', { kind: 'malformed' }, 'model_answer_malformed'],
    ['a truncated stream', { kind: 'truncated' }, 'model_answer_malformed'],
    ['a broken connection', { kind: 'reset' }, 'model_unreachable'],
    ['a page', { kind: 'html' }, 'model_answer_malformed'],
    [
      'an error within the stream',
      { kind: 'error_frame', code: 'overloaded', message: KEY },
      'model_server_failed',
    ],
  ];
  test.each(cases)('%s', async (_, fault, code) => {
    server.answerWith(() => ({ text: 'a longer text that breaks off somewhere', fault }));
    const sync = await run(desk());
    expect([sync.status, sync.body.detail.error]).toEqual([500, 'internal_error']);
    const { body } = await run(desk(), { async_mode: true });
    const failed = await p.waitFor(body.run_id, 'failed');
    expect(failed.body.error.type).toBe('RuntimeError');
    expect(failed.body.error.message).toContain(`${code}: `);
    expect(failed.body.error.message).not.toContain(KEY);
    expect(failed.body.error.message).not.toContain('Where is order');
    const trace = await p.get(`/v1/runs/${body.run_id}/trace`);
    expect(trace.body.events.at(-1)).toMatchObject({
      type: 'run_failed',
      model_provider: 'openai',
    });
  });

  test('a server that is not there', async () => {
    const spec = desk({ model: { extra: { base_url: 'http://127.0.0.1:9/v1' } } });
    expect((await run(spec)).status).toBe(500);
    expect((await latest(p)).error).toMatchObject({
      type: 'RuntimeError',
      message: expect.stringContaining('model_unreachable: '),
    });
  });

  test('settings that cannot be used are 400 invalid_request', async () => {
    const wrong = [{ base_url: 'ftp://x' }, { base_url: server.baseUrl('openai'), top_p: 'high' }];
    for (const extra of wrong) {
      const answer = await run(desk({ model: { extra } }));
      expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
      expect(answer.body.detail.message).toContain('model_settings_invalid');
    }
    expect(server.requests).toHaveLength(0);
  });

  test('an answer that was cut at max_tokens completes with a warning', async () => {
    server.reply({ text: 'It was ship', finish: 'length' });
    const answer = await run(desk());
    expect(answer.body).toMatchObject({ status: 'completed', output_text: 'It was ship' });
    expect(answer.body.metadata.model_warning).toContain('was cut at max_tokens');
  });

  test('an answer without end stops at its limit; memory stays bounded', async () => {
    server.reply({ fault: { kind: 'huge' } });
    expect((await run(desk())).status).toBe(500);
    expect((await latest(p)).error.message).toContain('model_answer_too_large: ');
    await expect.poll(() => server.abandoned()).toBe(1);
  });

  test.each(['hang', 'hang_mid_stream', 'drip'] as const)(
    'model.timeout_seconds ends %s',
    async (kind) => {
      const fault = kind === 'drip' ? { kind, everyMs: 400 } : { kind };
      server.answerWith(() => ({ text: 'a longer text that comes slowly', fault }));
      const { body } = await run(desk({ model: { timeout_seconds: 1 } }), { async_mode: true });
      const failed = await p.waitFor(body.run_id, 'failed');
      expect(failed.body.error).toMatchObject({
        type: 'RetryTimeoutError',
        message: expect.stringContaining('model_timeout: '),
      });
      expect(server.requests).toHaveLength(1);
      await expect.poll(() => server.abandoned()).toBe(1);
    },
  );
});

describe('retries (12; 16 no. 75)', () => {
  test('SERV_PROVIDER_RETRIES repeats what may pass, not what cannot', async () => {
    const q = await open({ SERV_PROVIDER_RETRIES: '2' });
    server.reply(
      { fault: { kind: 'status', status: 503 } },
      { fault: { kind: 'reset' } },
      { text: 'at last' },
    );
    expect((await run(desk(), {}, q)).body.output_text).toBe('at last');
    server.reset();
    server.answerWith(() => ({ fault: KEY_FAULT }));
    expect((await run(desk(), {}, q)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  test('Retry-After is waited for; one that is too long is not', async () => {
    const q = await open({ SERV_PROVIDER_RETRIES: '1' });
    const limited = (after: string): ModelFault => {
      return { kind: 'status', status: 429, headers: { 'retry-after': after } };
    };
    server.reply({ fault: limited('1') }, { text: 'after a while' });
    const started = performance.now();
    expect((await run(desk(), {}, q)).body.output_text).toBe('after a while');
    expect(performance.now() - started).toBeGreaterThan(950);
    server.reset();
    server.reply({ fault: limited('3600') });
    expect((await run(desk(), {}, q)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  test('a timeout is repeated only when SERV_PROVIDER_RETRY_ON_TIMEOUT says so', async () => {
    const settings = { SERV_PROVIDER_RETRIES: '1', SERV_PROVIDER_TIMEOUT_SECONDS: '0.3' };
    const never = await open(settings);
    server.reply({ fault: { kind: 'hang' } }, { text: 'second' });
    expect((await run(desk(), {}, never)).status).toBe(500);
    expect(server.requests).toHaveLength(1);
    server.reset();
    const always = await open({ ...settings, SERV_PROVIDER_RETRY_ON_TIMEOUT: 'true' });
    server.reply({ fault: { kind: 'hang' } }, { text: 'second' });
    expect((await run(desk(), {}, always)).body.output_text).toBe('second');
  });
});

test('cancelling a run closes the connection of its model call within a second (6.2)', async () => {
  for (const kind of ['hang', 'hang_mid_stream'] as const) {
    server.reset();
    server.reply({ text: 'a longer text that never ends', fault: { kind } });
    const { body } = await run(desk(), { async_mode: true });
    await expect.poll(() => server.requests.length).toBe(1);
    const cancelled = await p.post(`/v1/runs/${body.run_id}/cancel`, {});
    expect(cancelled.body.status).toBe('cancelled');
    await expect.poll(() => server.abandoned(), { timeout: 1000 }).toBe(1);
    expect((await p.get(`/v1/runs/${body.run_id}`)).body.status).toBe('cancelled');
  }
});
