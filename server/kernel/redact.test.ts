import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSensitiveKey, redactText, redactValue, scrubPaths } from './redact.ts';

const MASKED =
  'token accessToken apiKey api_keys apikeys clientKey session_id sessions user_email emails cookies X-Api-Key OPENAI_API_KEY password2 private_keys token_count tokenizer secretary authorization_url';
const SHOWN = 'tokens input_tokens max_tokens access_tokens clientkey author key keys';

describe('keys', () => {
  test.each(MASKED.split(' '))('text under %s is masked', (key) => {
    expect(redactValue({ [key]: 'x' })).toEqual({ [key]: '[REDACTED]' });
    expect(isSensitiveKey(key)).toBe(true);
  });

  test.each(SHOWN.split(' '))('text under %s stays', (key) => {
    expect(redactValue({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });

  test('structures are masked whole; numbers, booleans and null stay', () => {
    const value = {
      token_budget: 4000,
      secret: null,
      session: true,
      token: 'abc',
      cookies: ['x'],
      nested: [{ secret: { a: 1 } }],
    };
    expect(redactValue(value)).toEqual({
      token_budget: 4000,
      secret: null,
      session: true,
      token: '[REDACTED]',
      cookies: '[REDACTED]',
      nested: [{ secret: '[REDACTED]' }],
    });
  });

  test('numbers under passwords and keys are masked (decisions 41)', () => {
    const masked = '[REDACTED]';
    expect(
      redactValue({ db_password: 7, passwd: 1, secret: 2, apiKey: 3, private_key: 4 }),
    ).toEqual({
      db_password: masked,
      passwd: masked,
      secret: masked,
      apiKey: masked,
      private_key: masked,
    });
  });
});

const TEXTS: [string, string][] = [
  ['mail a.b+c@x.co now', 'mail [REDACTED_EMAIL] now'],
  ['id 123-45-6789.', 'id [REDACTED_SSN].'],
  ['Cookie: a=b; c=d\nnext', 'Cookie: [REDACTED]\nnext'],
  ['Authorization: Bearer abc.def', 'Authorization=[REDACTED] [REDACTED]'],
  ['Basic dXNlcg==', 'Basic [REDACTED]'],
  ['Token abcdefgh', 'Token abcdefgh'],
  ['Token abcdefg1', 'Token [REDACTED]'],
  ['token: abc', 'token=[REDACTED]'],
  ['db_password=hunter2&x=1', 'db_password=[REDACTED]&x=1'],
  ['{"secret": "v"}', '{"secret=[REDACTED]"}'],
  ['x_api-key: q', 'x_api-key=[REDACTED]'],
  ['access_token=abc,next', 'access_token=[REDACTED],next'],
  ['use sk-abcdefghijkl', 'use [REDACTED]'],
  [`AIza${'x'.repeat(35)}`, '[REDACTED]'],
  ['eyJhbGci.eyJzdWIi.c2ln', '[REDACTED]'],
  ['AKIAABCDEFGHIJKLMNOP', '[REDACTED]'],
  [`ghp_${'a1'.repeat(18)}`, '[REDACTED]'],
  [`github_pat_${'a'.repeat(22)}`, '[REDACTED]'],
];
const UNCHANGED = [
  'tokens: 5',
  'max_tokens=5',
  'password is x',
  'token budget exceeded',
  'my api key = "xyz"',
];

describe('texts', () => {
  test.each(TEXTS)('%j', (text, want) => {
    expect(redactText(text)).toBe(want);
    expect(redactText(want)).toBe(want);
  });

  test.each(UNCHANGED)('%j stays', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('a secret of any kind is found in a text that has nothing else', () => {
    for (const text of [
      '123-45-6789',
      'Basic abc',
      'NTLM abcdefg1',
      'sk-abcdefghijklm',
      `AIza${'a'.repeat(35)}`,
      'eyJa.b.c',
      `ASIA${'A1'.repeat(8)}`,
      `ghp_${'a'.repeat(36)}`,
      `github_pat_${'a'.repeat(22)}`,
      'cookie=a',
      'token: a',
      'a@b.example',
    ]) {
      expect(redactText(text)).toContain('[REDACTED');
    }
  });

  test('a second pass changes nothing', () => {
    const words = fc.constantFrom(
      ...'token,Token,Bearer,password,cookie,secret,api_key,:,=, ,\n,",abcdefg1,a@b.co,x,;,sk-abcdefghijklm,[REDACTED]'.split(
        ',',
      ),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const once = redactText(parts.join(' '));
        expect(redactText(once)).toBe(once);
      }),
    );
  });

  test('a long text that goes on from one seen before is redacted as if it were the first', () => {
    const words = fc.constantFrom(
      ...'pass,word,=hunter2,tok,en,: abc,sk,-abcdefghijklm,12,3-45-6789,a,@b.co,coo,kie,x, ,\n'.split(
        ',',
      ),
    );
    const part = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(''));
    const forget = (): void => {
      for (let i = 0; i < 8; i += 1) redactText(`${i}-`.repeat(200));
    };
    fc.assert(
      fc.property(part, part, part, (first, before, after) => {
        const old = `${first}${'y '.repeat(150)}${first}`;
        const text = `${before}${old}`;
        const longer = `${text}${after}`;
        forget();
        const fresh = redactText(longer);
        forget();
        redactText(old);
        redactText(text);
        expect(redactText(longer)).toBe(fresh);
      }),
      { numRuns: 2000 },
    );
  });

  test('long runs without a secret take linear time', () => {
    const start = performance.now();
    for (const run of ['a', 'a-', 'eyJ', 'a.', 'token ', 'x@', '/a', 'cookie ']) {
      redactText(run.repeat(200_000 / run.length));
      scrubPaths(run.repeat(200_000 / run.length));
    }
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

test.each([
  ['open /etc/x/y failed', 'open [PATH] failed'],
  ['at /a', 'at /a'],
  ['http://h/a/b/c', 'http://h/a/b/c'],
  ['file:///etc/passwd', '[PATH]'],
  ['no C:\\Users\\me\\x.txt', 'no [PATH]'],
  ['no \\\\host\\share\\x', 'no [PATH]'],
])('paths of %j', (text, want) => {
  expect(scrubPaths(text)).toBe(want);
});
