// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the notation under test
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { maskAuthoredSecrets, maskSecrets, maskText } from './mask-secrets.ts';
import { redactValue } from './redact.ts';

const words = fc.constantFrom(
  ...'token,Bearer,password,cookie,secret,api_key,:,=, ,\n,",abcdefg1,a@b.co,x,;,sk-abcdefghijklm,[REDACTED],curl -u a:,hunter22,is,123-45-6789'.split(
    ',',
  ),
);
const text = fc.array(words, { maxLength: 10 }).map((parts) => parts.join(' '));

describe('what is kept of a run that is over', () => {
  test('masking twice is masking once, and nothing that answers hide comes back', () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = maskText(value);
        expect(maskText(once)).toBe(once);
        expect(maskSecrets({ note: value, api_key: value })).toEqual(
          maskSecrets(maskSecrets({ note: value, api_key: value })),
        );
      }),
    );
  });

  test('names of secrets, personal data and what names nothing stay', () => {
    const value = {
      api_key_ref: 'MY_KEY',
      headers: { Authorization: 'Bearer ${SHOP_TOKEN}', 'X-Api-Key': 'abc' },
      session_id: 's-1',
      mail: 'ada@x.example',
      outputs: { token_check: 'fine' },
      token_budget: 4000,
    };
    expect(maskSecrets(value)).toEqual({
      ...value,
      headers: { ...value.headers, 'X-Api-Key': '[REDACTED]' },
    });
    const clean = { a: ['b', { c: 1 }] };
    expect(maskSecrets(clean)).toBe(clean);
  });

  test('words of an author about secrets stay; credentials among them go', () => {
    const prompt = 'Ask the user for the password: never store it. Cookies are biscuits.';
    expect(maskAuthoredSecrets({ system_prompt: prompt })).toEqual({ system_prompt: prompt });
    expect(maskAuthoredSecrets('Log in, password: hunter22.')).toBe(
      'Log in, password: [REDACTED].',
    );
  });

  test('a parameter schema with secret names keeps its sense', () => {
    const parameters = {
      type: 'object',
      properties: { password: { type: 'string', description: 'of the user' } },
      required: ['password'],
    };
    expect(maskAuthoredSecrets({ parameters })).toEqual({ parameters });
  });

  test('specs without a secret are kept to the letter', () => {
    const folder = path.join(import.meta.dirname, '../../test/fixtures/specs');
    for (const file of readdirSync(folder).filter((name) => /\.(yaml|json)$/.test(name))) {
      const whole = readFileSync(path.join(folder, file), 'utf8');
      expect(maskAuthoredSecrets(whole), file).toBe(whole);
    }
  });

  test('what is masked for keeping is shown as before', () => {
    fc.assert(
      fc.property(text, (value) => {
        const kept: Json = maskSecrets({ note: value });
        expect(JSON.stringify(redactValue(kept))).not.toContain('sk-abcdefghijklm');
        expect(JSON.stringify(redactValue(kept))).not.toContain('a@b.co');
      }),
    );
  });
});
