import { describe, expect, it } from 'vitest';
import type { Gap } from '../../../server/contract/studio/gaps.ts';
import {
  attestHindrance,
  type GapContext,
  gapGroups,
  gapKinds,
  gapProgress,
  neighbour,
} from './gap-model.ts';

const gap = (gap_id: string, severity: Gap['severity'], kind = 'k'): Gap => ({
  ref: { analysis_id: 'an', gap_id },
  kind,
  severity,
  source_ref: { source_id: 's', source_label: 'Node', locator: null },
  spec_ref: null,
  title: gap_id,
  detail: '',
});

const draft = {
  path: 'a.yaml',
  availability: 'present' as const,
  revision: 'r2',
  can_attest: true,
  standing_attestations: [] as { gap_id: string; revision: string }[],
};

const context: GapContext = {
  analysis: {
    analysis_id: 'an',
    analyzer_version: '1.0.0',
    analyzer_age: 'current',
    gaps: [
      gap('i', 'info'),
      gap('m', 'manual', 'x'),
      gap('b1', 'blocking'),
      gap('b2', 'blocking', 'x'),
    ],
    related_refs: [draft],
    suggestions: [],
  },
  draft,
  artifact: undefined,
  acknowledgements: [],
  resolutions: [],
};

describe('gap groups', () => {
  it('come blocking first, with what is open in each', () => {
    expect(
      gapGroups(context).map(({ severity, cards, open }) => [severity, cards.length, open]),
    ).toEqual([
      ['blocking', 2, 2],
      ['manual', 1, 1],
      ['info', 1, 0],
    ]);
    expect(gapGroups(context, ['x']).flatMap(({ cards }) => cards.map((c) => c.gap.title))).toEqual(
      ['b2', 'm'],
    );
    expect(gapKinds(context.analysis)).toEqual([
      { kind: 'k', count: 2 },
      { kind: 'x', count: 2 },
    ]);
  });

  it('count an attestation only at the draft’s present revision', () => {
    const at = (revision: string): GapContext => ({
      ...context,
      draft: { ...draft, standing_attestations: [{ gap_id: 'b1', revision }] },
    });
    expect(gapProgress(at('r1'))).toMatchObject({ settled: 0, blocking: 2 });
    expect(gapProgress(at('r2'))).toMatchObject({ settled: 1, total: 3, blocking: 1, manual: 1 });
  });

  it('name who settled a gap, and follow the last word of the log', () => {
    const record = { gap_id: 'b1', revision: 'r2', by_display_name: 'Ada', at: 't' };
    const attested: GapContext = {
      ...context,
      resolutions: [{ ...record, seq: 1, event: 'attest' }],
    };
    expect(gapGroups(attested)[0]?.cards[0]).toMatchObject({
      standing: 'attested',
      by: 'Ada',
      at: 't',
    });
    const retracted: GapContext = {
      ...context,
      resolutions: [
        { ...record, seq: 2, event: 'retract' },
        { ...record, seq: 1, event: 'attest' },
      ],
    };
    expect(gapGroups(retracted)[0]?.cards[0]?.standing).toBe('open');
    const acknowledged: GapContext = {
      ...context,
      acknowledgements: [
        {
          gap: { analysis_id: 'an', gap_id: 'm' },
          acknowledged_by_display_name: 'Bo',
          acknowledged_at: 't',
        },
      ],
    };
    expect(gapGroups(acknowledged)[1]?.cards[0]).toMatchObject({
      standing: 'acknowledged',
      by: 'Bo',
    });
  });
});

describe('triage', () => {
  it('moves through all groups and stops at the ends', () => {
    const groups = gapGroups(context);
    expect(neighbour(groups, null, 1)).toBe('b1');
    expect(neighbour(groups, 'b2', 1)).toBe('m');
    expect(neighbour(groups, 'i', 1)).toBe('i');
    expect(neighbour(groups, 'b1', -1)).toBe('b1');
    expect(neighbour([], null, 1)).toBeNull();
  });

  it('says why a gap cannot be attested', () => {
    expect(attestHindrance(draft)).toBeUndefined();
    expect(attestHindrance({ ...draft, can_attest: false })).toContain('imported');
    expect(attestHindrance({ ...draft, availability: 'missing' })).toContain('missing');
    expect(attestHindrance(undefined)).toBeDefined();
  });
});
