import { describe, expect, test } from 'vitest';
import { ANALYZER_VERSION } from '../../importers/versions.ts';
import { electLineage } from '../analyses/lineage.ts';
import type { FreshHead } from './freshness-repository.ts';
import { componentOutcome, lineageView, severest } from './freshness-rules.ts';

const head = (id: string, change: Partial<FreshHead> = {}): FreshHead => ({
  id,
  source_sha256: 's',
  importer: 'n8n',
  importer_version: 'n8n@1.0.0',
  analyzer_version: ANALYZER_VERSION,
  output_sha256: 'o',
  state: 'active',
  superseded_by: null,
  ...change,
});
const view = (carried: FreshHead[], members = carried, others: FreshHead[] = []) =>
  lineageView({ ref: 'a.yaml', carried, members, others });

describe('election', () => {
  test('importer version, then analyzer version, then id decide, by semantic precedence (AS-087)', () => {
    const members = [
      head('z', { importer_version: 'n8n@1.9.0' }),
      head('a', { importer_version: 'n8n@1.10.0', analyzer_version: '1.0.0-rc.1' }),
      head('b', { importer_version: 'n8n@1.10.0' }),
      head('c', { importer_version: 'n8n@1.10.0' }),
    ];
    expect(electLineage(members)).toEqual({ ordered: true, elected: 'c' });
  });

  test('a damaged member cannot win, and an unreadable version leaves all unordered', () => {
    expect(electLineage([head('a'), head('b', { state: 'quarantined' })]).elected).toBe('a');
    expect(electLineage([head('a', { state: 'quarantined' })]).elected).toBe(null);
    const odd = [head('a'), head('b', { analyzer_version: 'soon' })];
    expect(electLineage(odd)).toEqual({ ordered: false, elected: null });
  });
});

describe('outcome of a lineage', () => {
  test('81: the elected analysis in the frozen set is measured against the running analyzer (AS-088)', () => {
    expect(view([head('a')])).toMatchObject({ outcome: 'current', age: 'current', offers: [] });
    expect(view([head('a', { analyzer_version: '0.9.0' })])).toMatchObject({
      outcome: 'older',
      offers: [{ kind: 're_import', ref: 'a.yaml', analysis_id: null }],
    });
    expect(view([head('a', { analyzer_version: '9.0.0' })]).outcome).toBe('newer');
  });

  test('a successor outside the frozen set makes it history and is offered (AS-087, AS-088, AS-090)', () => {
    const old = head('a', { analyzer_version: '0.9.0' });
    expect(view([old], [old, head('b')])).toMatchObject({
      outcome: 'frozen_history',
      age: 'older',
      elected_analysis_id: 'b',
      elected_in_frozen_set: false,
      offers: [
        { kind: 're_import' },
        { kind: 'open_successor', analysis_id: 'b' },
        { kind: 'new_artifact', ref: 'a.yaml' },
      ],
    });
  });

  test('damage is flagged beside the outcome, and is the outcome when nothing active is left (AS-088, AS-089, AS-090)', () => {
    const bad = head('a', { state: 'quarantined' });
    expect(view([bad])).toMatchObject({
      outcome: 'invalid',
      invalid: true,
      offers: [{ kind: 're_import' }, { kind: 'quarantine_surface', analysis_id: 'a' }],
    });
    expect(view([bad, head('b')])).toMatchObject({ outcome: 'current', invalid: true });
  });

  test('unreadable versions are unordered (AS-088)', () => {
    expect(view([head('a', { importer_version: '?' })])).toMatchObject({
      outcome: 'unordered',
      ordered: false,
      age: null,
    });
  });

  test('another output of the same source that is current is offered as successor', () => {
    const other = head('b', { output_sha256: 'o2' });
    const old = head('a', { analyzer_version: '0.9.0' });
    expect(view([old], [old], [old, other]).offers).toContainEqual({
      kind: 'open_successor',
      analysis_id: 'b',
      ref: null,
    });
  });
});

test('the severest lineage speaks for a component; an edit shows when all is current (AS-077, AS-079)', () => {
  const current = view([head('a')]);
  expect(componentOutcome([], false)).toBe('no_inherited_analysis');
  expect(componentOutcome([current], true)).toBe('edited_revision');
  expect(componentOutcome([current, view([head('b', { analyzer_version: '0.1.0' })])], true)).toBe(
    'older',
  );
  expect(componentOutcome([{ ...current, invalid: true }], false)).toBe('invalid');
  expect(severest(['current', 'edited_revision', 'no_inherited_analysis'])).toBe('edited_revision');
});
