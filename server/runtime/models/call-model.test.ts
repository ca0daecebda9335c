import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { modelCall } from '../../../test/support/model-call.ts';
import { type ModelServer, startModelServer } from '../../../test/support/model-server.ts';
import type { WireFormat } from '../../../test/support/model-wire.ts';
import { listOf } from '../../engine/append-list.ts';
import type { CallModel } from '../../engine/effect.ts';
import type { ModelAnswer } from '../../engine/event.ts';
import { type Message, message } from '../../engine/message.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { EffectFailure } from '../run-effects.ts';
import { openSecrets } from '../secrets.ts';
import { createCallModel } from './call-model.ts';

const KEY = 'sk-THISKEYMUSTNOTLEAK0123456789';
const ENV = {
  OPENAI_API_KEY: KEY,
  OPENAI_COMPATIBLE_API_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
  GOOGLE_API_KEY: KEY,
};
const PROVIDERS: [string, WireFormat][] = [
  ['openai', 'openai'],
  ['openai-compatible', 'openai'],
  ['ollama', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(() => server.reset());
afterAll(() => server.stop());

interface Asked {
  readonly provider?: string;
  readonly format?: WireFormat;
  readonly messages?: readonly Message[];
  readonly extra?: JsonObject;
  readonly more?: Partial<CallModel>;
}

function effectOf({
  provider = 'openai',
  format = 'openai',
  messages,
  extra,
  more,
}: Asked): CallModel {
  return modelCall(provider, {
    system_prompt: 'Be brief.',
    messages: listOf(messages ?? [message('user', 'Hello')]),
    extra: { base_url: server.baseUrl(format), ...extra },
    ...more,
  });
}

async function ask(asked: Asked, signal = new AbortController().signal): Promise<ModelAnswer> {
  const result = await createCallModel({ secrets: openSecrets(ENV, false) })(
    effectOf(asked),
    signal,
  );
  if (result.kind !== 'model') throw new Error('no answer of a model');
  return result.answer;
}

const LOOKUP = {
  name: 'orders.look up',
  description: 'Looks an order up',
  parameters: { type: 'object', properties: { id: { type: 'string' } } },
};

describe.each(PROVIDERS)('%s', (provider, format) => {
  test('streams an answer with its usage (spec-v1 17)', async () => {
    server.reply({
      text: 'Good morning, how can I help?',
      usage: { input: 20, output: 9, cached: 5 },
    });
    const answer = await ask({
      provider,
      format,
      more: { max_tokens: 50 },
      extra: { top_p: 0.5, stop: 'END' },
    });
    expect(answer).toEqual({
      text: 'Good morning, how can I help?',
      tool_calls: [],
      usage: { input_tokens: 20, output_tokens: 9, total_tokens: 29, cached_input_tokens: 5 },
    });
    const [request] = server.requests;
    expect(request?.stream).toBe(true);
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain('Be brief.');
    expect(sent).toContain('Hello');
    expect(sent).toMatch(/"(max_tokens|max_completion_tokens|maxOutputTokens)":50/);
    expect(sent).toContain('"END"');
    expect(sent).toMatch(/"temperature":0\.7/);
  });

  test('a tool loop: the call comes back with its result', async () => {
    server.reply({ toolCalls: [{ id: 'c1', name: 'orders_look_up', arguments: { id: 'A-7' } }] });
    const first = await ask({ provider, format, more: { tools: [LOOKUP] } });
    expect(first.tool_calls).toMatchObject([{ name: 'orders.look up', arguments: { id: 'A-7' } }]);
    const [call] = first.tool_calls;
    if (call === undefined) throw new Error('no call');
    server.reply({ text: 'It was shipped.' });
    const second = await ask({
      provider,
      format,
      more: { tools: [LOOKUP] },
      messages: [
        message('user', 'Where is A-7?'),
        { ...message('assistant', ''), metadata: { tool_calls: [{ ...call }] } },
        { ...message('tool', 'shipped', call.name), tool_call_id: call.id },
      ],
    });
    expect(second.text).toBe('It was shipped.');
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('shipped');
    expect(sent).toContain('orders_look_up');
    if (format === 'google') expect(sent).toContain('signature-of-orders_look_up');
  });

  test('a server that does not stream is understood', async () => {
    server.reply({ text: 'whole', fault: { kind: 'no_stream' } });
    expect((await ask({ provider, format })).text).toBe('whole');
    server.reply({ text: 'not asked' });
    expect((await ask({ provider, format, extra: { stream: false } })).text).toBe('not asked');
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.stream).toBe(false);
  });

  test('faults end in a failure of their own', async () => {
    const say = `Bad ${KEY}: Hello`;
    const cases = [
      [
        { kind: 'status', status: 401, code: 'invalid_api_key', message: say },
        'model_key_refused',
        false,
      ],
      [
        { kind: 'status', status: 404, code: 'model_not_found', message: say },
        'model_not_found',
        false,
      ],
      [
        { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
        'model_rate_limited',
        true,
      ],
      [{ kind: 'status', status: 500, message: say }, 'model_server_failed', true],
      [{ kind: 'status', status: 502, body: '<html>' }, 'model_server_failed', true],
      [
        { kind: 'status', status: 400, message: 'prompt is too long: 9 tokens' },
        'model_context_too_long',
        false,
      ],
      [{ kind: 'status', status: 400, message: say }, 'model_request_refused', false],
      [
        { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
        'model_redirected',
        false,
      ],
      [{ kind: 'malformed' }, 'model_answer_malformed', true],
      [{ kind: 'wrong_shape' }, 'model_answer_malformed', true],
      [{ kind: 'truncated' }, 'model_answer_malformed', true],
      [{ kind: 'html' }, 'model_answer_malformed', true],
      [{ kind: 'reset' }, 'model_unreachable', true],
    ] as const;
    for (const [fault, code, retryable] of cases) {
      server.reply({ text: 'A somewhat longer text, so that it breaks off', fault });
      const failure = await ask({ provider, format }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure, `${fault.kind} ${code}`).toMatchObject({ facts: { retryable } });
      expect(String(failure)).toContain(`${code}: `);
      expect(String(failure)).not.toContain(KEY);
      expect(String(failure)).not.toContain('Hello');
    }
  });

  test('arguments that are no object fail the call; it may be repeated', async () => {
    if (format === 'google') return;
    for (const args of ['{"id": "A', '[1]']) {
      server.reply({ toolCalls: [{ name: 'orders_look_up', arguments: args }] });
      await expect(ask({ provider, format, more: { tools: [LOOKUP] } })).rejects.toMatchObject({
        message: expect.stringContaining("arguments for tool 'orders.look up' are no JSON object"),
        facts: { retryable: true },
      });
    }
  });

  test('a time limit of months is no timeout at once', async () => {
    const asked = { provider, format, more: { timeout_seconds: 9_000_000 } };
    expect(await ask(asked)).toMatchObject({ text: expect.any(String) });
  });

  test.each(['hang', 'hang_mid_stream', 'drip'] as const)(
    'a call that takes too long is a timeout: %s',
    async (kind) => {
      const fault = kind === 'drip' ? { kind, everyMs: 200 } : { kind };
      server.reply({ text: 'A somewhat longer text', fault });
      await expect(ask({ provider, format, more: { timeout_seconds: 0.2 } })).rejects.toMatchObject(
        {
          message: expect.stringContaining('model_timeout: '),
          facts: { timed_out: true, type: 'RetryTimeoutError' },
        },
      );
      await expect.poll(() => server.abandoned(), { timeout: 1000 }).toBe(1);
    },
  );
});

interface Sent {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly provider: [string, WireFormat];
}

describe('whatever a server sends', () => {
  test('any bytes end in an answer or in a failure with a code', async () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.json({ maxDepth: 3 }).map((text) => `data: ${text}\n\n`),
      fc.constantFrom(
        'data: [DONE]\n\n',
        'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n',
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
      ),
    );
    const sent = fc.record({
      status: fc.constantFrom(200, 200, 200, 400, 429, 500),
      type: fc.constantFrom('text/event-stream', 'application/json', 'text/html', ''),
      body: fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      provider: fc.constantFrom(...PROVIDERS),
    });
    const ends = async ({ status, type, body, provider: [provider, format] }: Sent) => {
      server.reply({ fault: { kind: 'status', status, body, headers: { 'content-type': type } } });
      const result = await ask({ provider, format, more: { timeout_seconds: 5 } }).then(
        (answer) => typeof answer.text,
        (error: unknown) => (error instanceof EffectFailure ? error.message : error),
      );
      expect(result).toMatch(/^(string$|model_[a-z_]+: )/);
    };
    await fc.assert(fc.asyncProperty(sent, ends), { numRuns: 150 });
  });

  test('a refusal whose text never ends, or is very long, is that refusal', async () => {
    for (const body of ['x'.repeat(2_000_000), '{"error": {"code": "slow_down"']) {
      server.reply({ fault: { kind: 'status', status: 503, body } });
      await expect(ask({})).rejects.toThrow('model_server_failed: ');
    }
  });

  test('a call that was stopped before it began sends nothing', async () => {
    await expect(ask({}, AbortSignal.abort())).rejects.toThrow('the call was stopped');
    expect(server.requests).toHaveLength(0);
  });

  test('an answer that was withheld or cut before its first word says so', async () => {
    server.reply({ finish: 'content_filter' });
    await expect(ask({})).rejects.toThrow('model_answer_blocked: ');
    server.reply({ finish: 'length' });
    await expect(ask({})).rejects.toThrow('model_answer_cut: ');
    server.reply({ text: 'half a sent', finish: 'length' });
    expect(await ask({})).toMatchObject({
      text: 'half a sent',
      warning: "An answer of model 'm-1' of 'openai' was cut at max_tokens.",
    });
  });
});
