import { expect, test } from 'vitest';
import { readComponent } from './component-text.ts';
import { exportFileName } from './export-artifact.ts';
import { sourceAnalysisState } from './provenance-rules.ts';

test.each([
  ['a: [', false],
  ['a: &x 1', false],
  ['a: {b: 1}\nc:\n  <<: {d: 1}', false],
  ['d: 2024-01-01', false],
  ["d: '2024-01-01'", true],
  ['- a', false],
  ['text', false],
  ['a: !!python/none x', false],
  ['1: a\ntrue: b\nnull: c', true],
  ['a: .nan', false],
])('%j is a component: %j', (text, ok) => expect(readComponent('a.yaml', text).ok).toBe(ok));

test('an empty text is an empty component, unless content is wanted', () => {
  for (const text of ['', '# only a comment\n', '~']) {
    expect(readComponent('a.yaml', text)).toEqual({ ok: true, document: {} });
    expect(readComponent('a.yaml', text, { requireContent: true }).ok).toBe(false);
  }
  expect(readComponent('a.yaml', 'x'.repeat(1_048_577)).ok).toBe(false);
});

test.each([
  ['specs/My flow (1).YAML', 'My-flow-1.01234567.yaml'],
  ['a..b.json', 'a.b.01234567.yaml'],
  ['...yaml', 'spec.01234567.yaml'],
  ['-.yml', 'spec.01234567.yaml'],
  [`${'x'.repeat(100)}.yaml`, `${'x'.repeat(80)}.01234567.yaml`],
])('%s exports as %s', (ref, name) => expect(exportFileName(ref, '0123456789abcdef')).toBe(name));

const gap = { analysis_id: 'a', gap_id: 'g' };
const component = { ref: 'r', revision: 'rev', analysis_ids: ['a'], attested: [], open: [] };
const inherited = { id: 'a', state: 'active', output_sha256: 'rev', hasBlocking: true } as const;

test('61: states in the order of their rules', () => {
  const state = sourceAnalysisState;
  expect(state([component], [{ ...inherited, state: 'quarantined' }], true)).toBe('unknown');
  expect(state([component], [], true)).toBe('not_applicable');
  expect(state([component], [], false)).toBe('unknown');
  expect(state([component], [{ ...inherited, hasBlocking: false }], false)).toBe('clear');
  expect(state([{ ...component, attested: [gap] }], [inherited], false)).toBe('attested');
  const open = { ...component, open: [gap] };
  expect(state([open], [inherited], false)).toBe('blocked');
  expect(state([open], [{ ...inherited, output_sha256: 'other' }], false)).toBe('unknown');
});
