import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../../server/contract/platform/findings.ts';
import { localProblems, withPlatformProblems } from './markers.ts';

const local = localProblems([
  {
    code: 'E_REF',
    severity: 'error',
    message: 'no such agent',
    suggestion: null,
    path: 'workflow.steps[0].ref',
    range: { startLine: 4, startColumn: 9, endLine: 4, endColumn: 12 },
  },
]);

describe('problems', () => {
  it('shows a finding that both compilers agree on once', () => {
    const found = findingsIn({
      diagnostics: [
        { code: 'E_REF', severity: 'error', message: 'same', path: 'workflow.steps[0].ref' },
        { code: 'W_MODEL_OFFLINE', severity: 'warning', message: 'offline', path: null },
        'broken',
      ],
    });
    const all = withPlatformProblems(
      local,
      found.map((item) => ({ ...item, line: null, column: null })),
    );
    expect(all.map(({ code, source, line }) => [code, source, line])).toEqual([
      ['E_REF', 'editor', 4],
      ['W_MODEL_OFFLINE', 'platform', null],
    ]);
  });

  it('reads no findings from a detail without diagnostics', () => {
    expect(findingsIn({ valid: true })).toEqual([]);
  });
});
