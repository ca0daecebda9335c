import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../../server/contract/studio/ledger.ts';
import { drawn } from '../../../../test/support/drawn.ts';
import { LedgerBar } from './ledger-bar.tsx';
import {
  elementChoices,
  fateDetail,
  LEDGER_COLUMNS,
  ledgerQuery,
  placeOfEntry,
} from './ledger-model.ts';

const entry = (part: Partial<LedgerEntry>): LedgerEntry => ({
  locator: '$.nodes[0].parameters.url',
  what: 'parameter',
  element: 'n1',
  label: 'url of Fetch',
  fate: 'carried',
  draft: null,
  form: null,
  gaps: [],
  reason: null,
  leaves: 1,
  ...part,
});

describe('the ledger', () => {
  it('shows each fate by its share of the values, and which one is filtered by', () => {
    const count = (entries: number, leaves: number) => ({ entries, leaves });
    const counts = {
      carried: count(3, 90),
      told: count(2, 10),
      no_meaning: count(0, 0),
      lost: count(0, 0),
    };
    const bar = drawn(<LedgerBar view={{ counts }} chosen="told" onChoose={() => undefined} />);
    expect(bar.text).toContain('90 %');
    expect(bar.text).toContain('2 parts, 10 values');
    expect(bar.tags('aria-pressed="true"')).toHaveLength(1);
    expect(bar.tags('aria-pressed="true"')[0]).toContain('ledger-told');
  });

  it('opens what an entry became: its line, its gap, else its element', () => {
    const place = { projectId: 'p', analysisId: 'a', draftRef: 'd.yaml', gaps: [], elements: [] };
    const to = (part: Partial<LedgerEntry>) => placeOfEntry(place, entry(part));
    expect(to({ draft: 'agent.name', gaps: ['g'] })).toBe(
      '/projects/p/drafts/d.yaml?path=agent.name',
    );
    expect(to({ fate: 'told', gaps: ['g'] })).toBe('/projects/p/gaps/a?ref=d.yaml&gap=g');
    expect(to({ fate: 'no_meaning' })).toBe('/projects/p/gaps/a?ref=d.yaml&source=n1');
    expect(to({ fate: 'no_meaning', element: null })).toBeUndefined();
  });

  it('asks only for what is filtered, and says forms and reasons in words', () => {
    expect(ledgerQuery({ fate: null, what: null, element: null, text: ' ' })).toEqual({});
    expect(ledgerQuery({ fate: 'told', what: 'node', element: 'n', text: ' a ' })).toEqual({
      ...{ fate: 'told', what: 'node', element: 'n', q: 'a' },
    });
    expect(fateDetail(entry({ form: 'redacted' }))).toBe('without its secret');
    expect(fateDetail(entry({ fate: 'no_meaning', reason: 'empty' }))).toBe('empty');
    expect(LEDGER_COLUMNS.map(([, value]) => value(entry({ gaps: ['g', 'h'] })))).toContain('g h');
  });

  it('numbers elements of one name', () => {
    const nodes = ['a', 'b', 'a'].map((label, at) => ({ source_id: String(at), label }));
    expect(elementChoices(nodes).map(({ label }) => label)).toEqual(['a', 'b', 'a (2)']);
  });
});
