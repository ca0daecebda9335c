// No text that must not be kept is in any answer (contract/platform.md 9; conformance 61).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { checkedSpec } from '../support/specs.ts';

let p: TestPlatform;
beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', OPENAI_API_KEY: 'sk-present' },
    handlers: { 'work.it': ([input]) => String(input) },
  });
});
afterAll(() => p.stop());

describe('redaction by property (9)', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  const word = (min: number, max = min + 12) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: min, maxLength: max });
  /** A text that holds a secret, and the secret. */
  const secret = fc.oneof(
    word(12).map((text) => [`sk-${text}`, text] as const),
    word(35, 35).map((text) => [`AIza${text}`, text] as const),
    word(36).map((text) => [`ghp_${text}`, text] as const),
    word(22).map((text) => [`github_pat_${text}`, text] as const),
    word(16, 16).map((text) => [`AKIA${text.toUpperCase()}`, text.toUpperCase()] as const),
    word(12).map((text) => [`Bearer ${text}`, text] as const),
    word(12).map((text) => [`password=${text}`, text] as const),
    word(12).map((text) => [`client_secret: "${text}"`, text] as const),
    word(12).map((text) => [`${text}@example.org`, text] as const),
    word(12).map((text) => [`eyJ${text}.${text}.${text}`, text] as const),
    word(12).map((text) => [`Cookie: sid=${text}`, text] as const),
  );

  test('no such text is in any answer, wherever it was given', async () => {
    await fc.assert(
      fc.asyncProperty(secret, secret, secret, async ([a, x], [b, y], [c, z]) => {
        const body = {
          input: `see ${a} `,
          spec: checkedSpec({ description: `for ${c} ` }),
          metadata: { note: `and ${b} `, deep: [{ [b.slice(0, 3)]: [b] }], api_key: z },
          timeout: 60,
        };
        const headers = { 'idempotency-key': x };
        const made = await p.post('/v1/runs', body, { headers });
        expect(made.status).toBe(200);
        const { run_id: id, continuation_id: task } = made.body;
        const request = (await p.get(`/v1/human-tasks/${task}`)).body.request;
        const reads = async (): Promise<string[]> => {
          const texts: string[] = [];
          for (const route of [
            '',
            '/recovery',
            '/replay',
            '/trace',
            '/checkpoints',
            '/checkpoints/diff',
          ]) {
            texts.push((await p.get(`/v1/runs/${id}${route}`)).text);
          }
          texts.push((await p.get('/v1/runs?limit=3')).text);
          texts.push((await p.get(`/v1/human-tasks?run_id=${id}`)).text);
          texts.push((await p.get(`/v1/human-tasks/${task}`)).text);
          texts.push((await p.get(`/v1/audit-events?run_id=${id}`)).text);
          texts.push((await p.post('/v1/runs', body, { headers })).text);
          return texts;
        };
        const answers = [made.text, ...(await reads())];
        const answer = { request_id: request.id, decision: 'edited', content: `so ${a} ` };
        answers.push((await p.post(`/v1/human-tasks/${task}/resume`, answer)).text);
        answers.push(...(await reads()));
        for (const text of answers) {
          for (const hidden of [x, y, z]) expect(text.includes(hidden) ? text : '').toBe('');
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
