import { describe, expect, it } from 'vitest';
import type { RelatedRef } from '../../../server/contract/studio/analyses.ts';
import type { Gap } from '../../../server/contract/studio/gaps.ts';
import {
  attestHindrance,
  type GapContext,
  gapCards,
  gapGroups,
  gapKinds,
  gapProgress,
  isOutdated,
  leftToDo,
} from './gap-model.ts';
import { causeRowOf, causesOf, gapRows, NO_FILTER, neighbour } from './gap-rows.ts';

const gap = (gap_id: string, severity: Gap['severity'], kind = 'k'): Gap => ({
  ref: { analysis_id: 'an', gap_id },
  kind,
  severity,
  source_ref: { source_id: gap_id, source_label: 'Node', locator: null },
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
  rank: undefined,
  refused: undefined,
  entry: undefined,
  elsewhere: undefined,
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
      gapGroups(gapCards(context)).map(({ severity, cards, open }) => [
        severity,
        cards.length,
        open,
      ]),
    ).toEqual([
      ['blocking', 2, 2],
      ['manual', 1, 1],
      ['info', 1, 0],
    ]);
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
    expect(gapProgress(gapCards(at('r1')))).toMatchObject({ settled: 0, blocking: 2 });
    expect(gapProgress(gapCards(at('r2')))).toMatchObject({
      settled: 1,
      total: 3,
      blocking: 1,
      manual: 1,
    });
  });

  it('name who settled a gap, and follow the last word of the log', () => {
    const record = { gap_id: 'b1', revision: 'r2', by_display_name: 'Ada', at: 't' };
    const attested: GapContext = {
      ...context,
      resolutions: [{ ...record, seq: 1, event: 'attest' }],
    };
    expect(gapGroups(gapCards(attested))[0]?.cards[0]).toMatchObject({
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
    expect(gapGroups(gapCards(retracted))[0]?.cards[0]?.standing).toBe('open');
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
    expect(gapGroups(gapCards(acknowledged))[1]?.cards[0]).toMatchObject({
      standing: 'acknowledged',
      by: 'Bo',
    });
  });
});

/** `cause:` rows by their title, gaps by their id. */
const outline = (rows: ReturnType<typeof gapRows>): readonly string[] =>
  rows.map((row) =>
    row.type === 'cause' ? `${row.cause.title} (${row.cause.cards.length})` : row.id,
  );

const same = (id: string, label: string, detail: string): Gap => ({
  ...gap(id, 'blocking', 'proprietary_node'),
  title: `No counterpart: ${label}`,
  source_ref: { source_id: id, source_label: label, locator: null },
  detail,
});

describe('causes: the same cause in many nodes is grouped with a count', () => {
  const gaps = [
    same(
      'g1',
      'Sheet',
      '"Sheet" is a step of its own kind (n8n-nodes-base.googleSheets); name it.',
    ),
    same('g2', 'Mail', '"Mail" is a step of its own kind (n8n-nodes-base.gmail); name it.'),
    same(
      'g3',
      'Rows 2',
      '"Rows 2" is a step of its own kind (n8n-nodes-base.googleSheets); name it.',
    ),
    same('g4', 'A "b"', '"A "b"" is a step of its own kind (n8n-nodes-base.gmail); name it.'),
  ];
  const cards = gapCards({ ...context, analysis: { ...context.analysis, gaps } });

  it('differ by what they say, not by whom they say it of', () => {
    expect(causesOf(cards).map((c) => [c.title, c.subject, c.cards.length, c.open])).toEqual([
      ['No counterpart', 'googleSheets', 2, 2],
      ['No counterpart', 'gmail', 2, 2],
    ]);
  });

  it('tell types apart that end in a number, and take no field for a type', () => {
    const list = [
      same('h1', 'One', '"One" is a step of its own kind (n8n-nodes-base.app1); name it.'),
      same('h2', 'Two', '"Two" is a step of its own kind (n8n-nodes-base.app2); name it.'),
      same(
        'h3',
        'Key',
        '"Key" holds a credential at headerParameters.parameters.0.value; left out.',
      ),
      same(
        'h4',
        'Key 2',
        '"Key 2" holds a credential at headerParameters.parameters.3.value; left out.',
      ),
    ];
    const made = gapCards({ ...context, analysis: { ...context.analysis, gaps: list } });
    expect(causesOf(made).map(({ subject, cards: own }) => [subject, own.length])).toEqual([
      ['app1', 1],
      ['app2', 1],
      ['', 2],
    ]);
  });

  it('ignore expressions and numbers in the words', () => {
    const words = (detail: string) => ({ ...gap('m1', 'manual'), detail });
    const list = [
      words('The source gives "x" {{ $json.a }}, {{ $json.b }} per run 3 times.'),
      {
        ...words('The source gives "y" {{ $json.c }} per run 12 times.'),
        ref: { analysis_id: 'an', gap_id: 'm2' },
      },
    ];
    const made = gapCards({ ...context, analysis: { ...context.analysis, gaps: list } });
    expect(causesOf(made)).toHaveLength(1);
  });

  it('are one card for several gaps of one element, where nothing else says the same', () => {
    const of = (id: string, source_id: string, title: string): Gap => ({
      ...gap(id, 'blocking'),
      title,
      source_ref: { source_id, source_label: source_id, locator: null },
    });
    const cards = gapCards({
      ...context,
      analysis: {
        ...context.analysis,
        gaps: [
          of('1', 'a', 'Code'),
          of('2', 'a', 'Memory'),
          of('3', 'b', 'Model'),
          of('4', 'a', 'Retry'),
          of('5', 'c', 'Retry'),
        ],
      },
    });
    const ids = ({ cards: own }: { cards: typeof cards }) =>
      own.map((card) => card.gap.ref.gap_id).join();
    expect(causesOf(cards).map((one) => [one.by, one.title, ids(one)])).toEqual([
      ['element', 'a', '1,2'],
      ['words', 'Model', '3'],
      ['words', 'Retry', '4,5'],
    ]);
    expect(causeRowOf(cards, '2')).toBe('cause:element a');
    expect(causeRowOf(cards, '3')).toBeNull();
    const open = gapRows(cards, NO_FILTER, new Set(['cause:element a']));
    expect(open.flatMap((row) => (row.type === 'gap' ? [[row.id, row.under?.by]] : []))).toEqual([
      ['1', 'element'],
      ['2', 'element'],
      ['3', undefined],
    ]);
  });

  it('fold, unfold and filter', () => {
    const folded = gapRows(cards, NO_FILTER, new Set());
    expect(outline(folded)).toEqual([
      'severity:blocking',
      'No counterpart (2)',
      'No counterpart (2)',
    ]);
    const open = gapRows(cards, NO_FILTER, new Set([folded[1]?.id ?? '']));
    expect(outline(open).slice(1, 4)).toEqual(['No counterpart (2)', 'g1', 'g3']);
    expect(outline(gapRows(cards, { ...NO_FILTER, text: 'mail' }, new Set()))).toContain(
      'No counterpart (2)',
    );
    expect(outline(gapRows(cards, { ...NO_FILTER, text: 'rows' }, new Set()))).toEqual([
      'severity:blocking',
      'g3',
    ]);
    expect(gapRows(cards, { ...NO_FILTER, kinds: ['other'] }, new Set())).toEqual([]);
  });
});

describe('triage', () => {
  const at = (id: string, event: 'attest' | 'retract', revision: string, seq = 1) => ({
    gap_id: id,
    revision,
    seq,
    event,
    by_display_name: 'Ada',
    at: `2026-01-0${seq}T00:00:00Z`,
  });

  it('moves through all rows and stops at the ends', () => {
    const rows = gapRows(gapCards(context), NO_FILTER, new Set());
    expect(neighbour(rows, null, 1)).toBe('b1');
    expect(neighbour(rows, 'b2', 1)).toBe('m');
    expect(neighbour(rows, 'i', 1)).toBe('i');
    expect(neighbour(rows, 'b1', -1)).toBe('b1');
    expect(neighbour([], null, 1)).toBeNull();
  });

  it('skips what is settled when asked', () => {
    const settled = { ...context, resolutions: [at('b2', 'attest', 'r2')] };
    const rows = gapRows(gapCards(settled), NO_FILTER, new Set());
    expect(neighbour(rows, 'b1', 1, true)).toBe('m');
    expect(neighbour(rows, 'm', 1, true)).toBe('m');
    expect(neighbour(rows, 'm', -1, true)).toBe('b1');
    const open = gapRows(gapCards(settled), { ...NO_FILTER, openOnly: true }, new Set());
    expect(open.map(({ id }) => id)).not.toContain('b2');
  });

  it('lets an attestation lapse with the revision that it was about', () => {
    const lapsed = { ...context, resolutions: [at('b1', 'attest', 'r1')] };
    expect(gapCards(lapsed)[2]).toMatchObject({ standing: 'lapsed', by: 'Ada' });
    expect(gapProgress(gapCards(lapsed))).toMatchObject({ blocking: 2, lapsed: 1, settled: 0 });
    const taken = {
      ...context,
      resolutions: [at('b1', 'attest', 'r1'), at('b1', 'retract', 'r1', 2)],
    };
    expect(gapCards(taken)[2]?.standing).toBe('open');
  });

  it('says what is left until nothing blocks export', () => {
    const left = (now: GapContext) => leftToDo(gapProgress(gapCards(now)), now);
    expect(left(context)).toEqual([
      'attest 2 blocking gaps',
      'create an artifact and acknowledge 1',
    ]);
    expect(left({ ...context, draft: { ...draft, can_attest: false } })[0]).toBe(
      'fix 2 blocking gaps in the draft, then attest',
    );
    expect(left({ ...context, resolutions: [at('b1', 'attest', 'r1')] })).toContain(
      'attest 1 again, since the draft changed',
    );
    expect(left({ ...context, analysis: { ...context.analysis, gaps: [] } })).toEqual([]);
    expect(isOutdated(context)).toBe(false);
  });

  it('says why a gap cannot be attested', () => {
    const of = (one: RelatedRef | undefined, rank?: string) =>
      attestHindrance({ draft: one, rank });
    expect(of(draft)).toBeUndefined();
    expect(of({ ...draft, can_attest: false })).toContain('imported');
    expect(of({ ...draft, availability: 'missing' })).toContain('missing');
    expect(of(undefined)).toBeDefined();
    expect(of(draft, 'Your role here is editor.')).toContain('editor');
  });
});
