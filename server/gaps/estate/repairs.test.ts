import { describe, expect, it } from 'vitest';
import type { FixTarget } from '../fixes/fix-types.ts';
import { applyFix, sharedOffers } from '../fixes/fixes.ts';
import { DESK_DRAFT } from '../testing/desk-draft.ts';
import { type KnownRepair, repairOffers, repairsAgain, workflowKey } from './repairs.ts';

const target = (gap_id: string, name: string, kind = 'proprietary_node'): FixTarget => ({
  ...{ gap_id, kind, label: name, name },
});
const draft = (ref: string, ...targets: FixTarget[]) => ({
  ref,
  targets,
  offers: sharedOffers({ text: DESK_DRAFT, file: ref }, targets),
});

describe('one repair of many drafts', () => {
  it('is offered for the drafts that it fits, and proposes nothing of one element', () => {
    const offers = repairOffers([
      draft('a.yaml', target('1', 'fetch'), target('2', 'decide')),
      draft('b.yaml', target('3', 'fetch')),
      draft('c.yaml', target('4', 'nobody')),
    ]);
    const [first] = offers;
    expect(first?.fix).toBe('name_function');
    expect(first?.gaps).toEqual(
      new Map([
        ['a.yaml', ['1', '2']],
        ['b.yaml', ['3']],
      ]),
    );
    const texts = offers.flatMap(({ fields }) => fields).filter(({ kind }) => kind === 'text');
    expect(texts.every(({ initial }) => initial === '')).toBe(true);
    expect(offers.map(({ fix }) => fix)).not.toContain('set_condition');
  });

  it('is a minimal edit of each', () => {
    const { targets } = draft('a.yaml', target('1', 'fetch'), target('2', 'decide'));
    const request = { fix: 'name_function', values: { function: 'desk.do' }, targets };
    const { text, done } = applyFix({ text: DESK_DRAFT, file: 'a.yaml' }, request);
    expect(done).toEqual(['1', '2']);
    const before = DESK_DRAFT.split('\n');
    const changed = text.split('\n').filter((line, at) => line !== before[at]);
    expect(changed.map((line) => line.trim())).toEqual([
      'implementation: desk.do',
      'implementation: desk.do',
    ]);
  });

  it('comes again with the sources that it was made in', () => {
    const file = (path: string, name: string | null, cause = 'c1') => ({
      ...{ path, draft: `${path}.yaml`, facts: { id: null, name }, causes: [{ id: cause }] },
    });
    const repair: KnownRepair = {
      ...{ id: 'r', cause: 'c1', fix: 'choose_model', title: 'Choose', values: {} },
      workflows: ['name Desk', 'file odd.json'],
    };
    const files = [
      file('new/desk.json', 'Desk'),
      file('new/odd.json', null),
      file('new/other.json', 'Other'),
      file('new/done.json', 'Desk', 'c2'),
      { ...file('new/refused.json', 'Desk'), draft: null },
    ];
    const [again] = repairsAgain(files, [repair]);
    expect(again?.files.map(({ path }) => path)).toEqual(['new/desk.json', 'new/odd.json']);
    expect(repairsAgain(files.slice(2), [repair])).toEqual([]);
    expect(workflowKey({ path: 'x', facts: { id: '7', name: 'Desk' } })).toBe('id 7');
  });
});
