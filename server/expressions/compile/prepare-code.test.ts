import { expect, it } from 'vitest';
import { prepareCode } from './prepare-code.ts';

it('notes where calls stand, by line and column of the text that runs', () => {
  const { code, calls } = prepareCode('a.b();\n\u2028  c("\\n")(1);\r\nd()');
  const lines = code.split(/\r\n?|[\n\u2028\u2029]/);
  for (const [place, callee] of Object.entries(calls)) {
    const [line = 0, column = 0] = place.split(':').map(Number);
    expect(lines[line - 1]?.slice(0, column - 1).endsWith(callee.replace('(...)', '("\\n")'))).toBe(
      true,
    );
  }
  expect(Object.values(calls).sort()).toEqual(['a.b', 'c', 'c(...)', 'd']);
});

it('takes a line of 100,000 calls, as a bundled library has them', () => {
  expect(Object.keys(prepareCode('f(1);'.repeat(100_000)).calls)).toHaveLength(100_000);
});
