import { expect, test } from 'vitest';
import type { Diagnostic, Severity } from '../values/diagnostic.ts';
import { listedFindings, MAX_LISTED_FINDINGS } from './listed-findings.ts';

function finding(severity: Severity, index: number): Diagnostic {
  return { code: `C${index}`, severity, message: 'm', path: null, suggestion: null };
}

test('an error behind a thousand warnings is listed, in its place', () => {
  const warnings = Array.from({ length: MAX_LISTED_FINDINGS }, (_, i) => finding('warning', i));
  const all = [...warnings, finding('error', 5000), finding('info', 5001)];
  const listed = listedFindings(all);
  expect(listed).toHaveLength(MAX_LISTED_FINDINGS + 1);
  expect(listed.slice(0, -1)).toEqual([...warnings.slice(0, -1), finding('error', 5000)]);
  expect(listed.at(-1)).toMatchObject({
    severity: 'info',
    message: '2 more findings are not listed. Mend what is listed and check again.',
  });
});

test('one that is left out is spoken of as one', () => {
  const all = Array.from({ length: MAX_LISTED_FINDINGS + 1 }, (_, i) => finding('error', i));
  expect(listedFindings(all).at(-1)?.message).toBe(
    '1 more finding is not listed (errors: 1). Mend what is listed and check again.',
  );
});

test('a list that was made so stays as it is', () => {
  const all = Array.from({ length: 3000 }, (_, i) => finding('error', i));
  const listed = listedFindings(all);
  expect(listedFindings(listed)).toEqual(listed);
  expect(listed.at(-1)?.message).toContain('2,000 more findings');
});
