import { describe, expect, it } from 'vitest';
import { decisionsOf } from './decisions-model.ts';

describe('decisionsOf', () => {
  it('offers what fits the request and one main decision for each', () => {
    const offered = (type: string | null) => decisionsOf(type).map(({ decision }) => decision);
    expect(offered('approval')).toEqual(['approved', 'rejected', 'edited']);
    expect(offered('selection')).toEqual(['selected', 'rejected']);
    expect(offered('freeform')).toEqual(['provided', 'rejected']);
    expect(offered('correction')).toEqual(['edited', 'rejected']);
    for (const type of ['approval', 'review', 'correction', 'selection', 'freeform', null]) {
      expect(decisionsOf(type).filter(({ main }) => main)).toHaveLength(1);
    }
  });
});
