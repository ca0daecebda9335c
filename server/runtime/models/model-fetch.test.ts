import { expect, test } from 'vitest';
import { redactText } from '../../kernel/redact.ts';
import { type CalledModel, readErrorFacts, refusalOf } from './model-failure.ts';
import { retryAfterSeconds } from './model-fetch.ts';

const CALLED: CalledModel = {
  provider: 'openai',
  model: 'm-1',
  host: '127.0.0.1:1234',
  keyName: 'OPENAI_API_KEY',
  hasKey: true,
};

function refusal(status: number | undefined, body: unknown, hasKey = true): string {
  const facts = readErrorFacts(body);
  return refusalOf({ called: { ...CALLED, hasKey }, status, facts, retryAfterSeconds: undefined })
    .message;
}

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const read = (name: string, value: string) =>
    retryAfterSeconds(new Headers({ [name]: value }), now);
  expect(read('retry-after', '7')).toBe(7);
  expect(read('retry-after-ms', '250')).toBe(0.25);
  expect(read('retry-after', 'Sat, 21 Nov 2026 10:00:30 GMT')).toBe(30);
  expect(read('retry-after', 'Sat, 21 Nov 2026 09:00:00 GMT')).toBe(0);
  expect(read('retry-after', 'soon')).toBeUndefined();
  expect(retryAfterSeconds(new Headers(), now)).toBeUndefined();
});

test('what a refusal means follows from its status and its identifiers', () => {
  const cases: [number | undefined, unknown, string][] = [
    [400, { error: { code: 'context_length_exceeded' } }, 'model_context_too_long'],
    [
      400,
      { error: { message: 'The input token count (9) exceeds the maximum' } },
      'model_context_too_long',
    ],
    [
      400,
      { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
      'model_key_refused',
    ],
    [429, { error: { code: 'insufficient_quota' } }, 'model_quota_exhausted'],
    [429, [{ error: { status: 'RESOURCE_EXHAUSTED' } }], 'model_rate_limited'],
    [529, { type: 'error', error: { type: 'overloaded_error' } }, 'model_server_failed'],
    [undefined, { type: 'overloaded_error' }, 'model_server_failed'],
    [403, null, 'model_key_refused'],
    [422, 'text', 'model_request_refused'],
    [500, { error: { type: 'invalid_request_error' } }, 'model_server_failed'],
  ];
  for (const [status, body, code] of cases) expect(refusal(status, body)).toMatch(`${code}: `);
});

test("identifiers are shown, the provider's text never; nothing in a message is masked later", () => {
  const body = {
    error: { code: 'unsupported_value', param: 'temperature', message: 'sk-secret said hello' },
  };
  const message = refusal(400, body);
  expect(message).toContain('(HTTP 400, unsupported_value, temperature)');
  expect(message).not.toContain('hello');
  for (const status of [400, 401, 402, 404, 413, 429, 500, 302]) {
    for (const hasKey of [true, false]) {
      const text = refusal(status, null, hasKey);
      expect(redactText(text)).toBe(text);
    }
  }
  expect(refusal(401, { error: { code: 'two words', type: 7 } }, false)).toContain(
    'No key was sent',
  );
});
