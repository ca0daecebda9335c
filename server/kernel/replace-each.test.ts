import { expect, test } from 'vitest';
import { maskText } from './mask-secrets.ts';
import { redactText } from './redact.ts';
import { replaceEach } from './replace-each.ts';

const numbers = Array.from({ length: 40 }, (_, index) => `part${index}`);

test.each([
  ['one', ['abcd'], 'x abcd y abcd', 'x # y #'],
  ['a part of another, among few', ['abcd', 'abcdef'], 'abcdef abcd', '# #'],
  ['a part of another, among many', numbers, 'part1 part12 part40', '# # #0'],
  ['overlapping, among many', [...numbers, 'rt1xyz'], 'part1xyz.', '#.'],
  ['side by side, among many', numbers, 'part1part2', '##'],
  ['short ones beside many', [...numbers, 'ab'], 'ab part3 ab', '# # #'],
  ['none', numbers, 'nothing here', 'nothing here'],
])('%s', (_, parts, text, expected) => {
  expect(replaceEach(text, parts, '#')).toBe(expected);
});

test('thousands of secrets in a megabyte go in time that grows with the text', () => {
  const text = (lines: number) =>
    Array.from(
      { length: lines },
      (_, i) =>
        `password: hunter${i}x9. sk-abcdefghijkl${i}q curl -u ada:pw${i}z9 https://x.example`,
    ).join('\n');
  const spent = (read: (text: string) => string, lines: number): number => {
    const start = process.cpuUsage();
    const out = read(text(lines));
    const { user, system } = process.cpuUsage(start);
    expect(out).not.toMatch(/hunter\d|ijkl\d|pw\d/);
    return (user + system) / 1000;
  };
  for (const read of [maskText, redactText]) {
    // A pass for each took over a minute of 8,000 lines.
    spent(read, 100);
    expect(spent(read, 8000)).toBeLessThan(10_000);
  }
});
