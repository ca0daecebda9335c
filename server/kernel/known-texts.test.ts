import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownTexts } from './known-texts.ts';
import { maskText } from './mask-secrets.ts';
import { redactText } from './redact.ts';

/** Pieces of what is looked for, and what may stand beside them: cut anywhere. */
const PIECES = [
  'server = db;uid=a;password=hunter42x;',
  'create   user',
  'alter    login',
  "identified    by 'pa55word'",
  'the password is Winter2024!',
  'endpointsprotocol    =https',
  'https://bob:secret12@host.example/',
  'Bearer abcdef0123456789abcdef',
  'sk-abcdefghijklmnopqrst0123',
  'github_pat_abcdefghijklmnopqrstuv0123',
  'hooks.slack.com/services/T000',
  'curl -u bob:hunter42',
  'authorization: Zm9vYmFyOjEyMzQ1Njc4',
  '"api_key": "abc12345defgh"',
  'a pin is 4711ab',
  '123-45-6789',
  'Cookie: sid=abc123def456',
  'bob@example.com',
  'a plain word',
  ' ',
  ';',
  'x',
];

interface Added {
  readonly piece: string;
  readonly isBefore: boolean;
}

/** A piece of which a text gets one part and then the other, at the end where they meet. */
const parted = fc
  .tuple(fc.constantFrom(...PIECES), fc.nat({ max: 40 }), fc.boolean())
  .map(([piece, at, isBefore]): Added[] => {
    const parts = [piece.slice(0, at), piece.slice(at)].filter((part) => part !== '');
    return (isBefore ? parts.toReversed() : parts).map((part) => ({ piece: part, isBefore }));
  });

/** How a text becomes the next: something before it or after it. */
const steps = fc.array(parted, { minLength: 1, maxLength: 4 }).map((all) => all.flat());

let turn = 0;

/** Makes a masker forget what it knows, so that the next text is looked through whole. */
function forget(mask: (text: string) => string): void {
  for (let n = 0; n < 8; n += 1) {
    turn += 1;
    mask(`${turn} nothing to see, `.padEnd(300, `${turn}.`));
  }
}

test.each([
  ['redacting', redactText],
  ['masking', maskText],
])('%s a text that grows says what it says of the text by itself', (_name, mask) => {
  fc.assert(
    fc.property(steps, (all) => {
      forget(mask);
      const texts = ['a long plain text, '.repeat(20)];
      for (const { piece, isBefore } of all) {
        const last = texts.at(-1) ?? '';
        texts.push(isBefore ? `${piece}${last}` : `${last}${piece}`);
      }
      const grown = texts.map(mask);
      for (const [at, text] of texts.entries()) {
        forget(mask);
        expect(grown[at]).toBe(mask(text));
      }
    }),
    { numRuns: 2000 },
  );
});

test('only what a text adds to a plain one is looked through', () => {
  const looked: string[] = [];
  const known = new KnownTexts({
    isPlain: (text) => {
      looked.push(text);
      return !text.includes('!');
    },
    mask: (text) => text.replaceAll('!', '?'),
    seam: 3,
  });
  const base = 'a'.repeat(300);
  expect(known.masked(base)).toBe(base);
  expect(known.masked(`${base}bc`)).toBe(`${base}bc`);
  expect(known.masked(`bc${base}bc`)).toBe(`bc${base}bc`);
  expect(known.masked(base)).toBe(base);
  expect(looked).toEqual([base, 'aaabc', 'bcaaa']);
  const head = `${base}${'b'.repeat(300)}`;
  known.masked(head);
  known.masked(base);
  expect(known.masked(`${head}c`)).toBe(`${head}c`);
  expect(looked.at(-1)).toBe('bbbc');
  expect(known.masked(`${base}!`)).toBe(`${base}?`);
  expect(known.masked('a!')).toBe('a?');
});

test('a text that is met again and again stays known among others', () => {
  let count = 0;
  const known = new KnownTexts({
    isPlain: () => false,
    mask: (text) => `${++count}${text}`,
    seam: 3,
  });
  const often = 'x'.repeat(300);
  const first = known.masked(often);
  for (let n = 0; n < 50; n += 1) {
    known.masked(`${n}`.padEnd(300, '.'));
    expect(known.masked(often)).toBe(first);
  }
  for (let n = 50; n < 60; n += 1) known.masked(`${n}`.padEnd(300, '.'));
  expect(known.masked(often)).not.toBe(first);
});
