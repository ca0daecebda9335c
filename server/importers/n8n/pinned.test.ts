import { expect, test } from 'vitest';
import { analyze } from '../analyze.ts';

const node = (name: string) => {
  const position = [0, 0];
  return { id: name, name, type: 'n8n-nodes-base.manualTrigger', parameters: {}, position };
};

function pinnedIn(pinData: unknown, more: object = {}) {
  const raw = JSON.stringify({ name: 'x', nodes: [node('A'), node('B')], pinData, ...more });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new TypeError(outcome.message);
  return outcome.canvas.pinned;
}

test('what a node pins is kept with its drawing, with or without json around it', () => {
  const pinned = pinnedIn({ A: [{ json: { n: 1 } }, { n: 2 }], Gone: [{ n: 3 }], B: [] });
  expect(pinned).toEqual([{ source_id: 'A', items: [{ n: 1 }, { n: 2 }] }]);
  expect(pinnedIn(undefined)).toBeUndefined();
});

test('more than a rehearsal can send is not kept', () => {
  expect(pinnedIn({ A: [{ text: 'x'.repeat(300_000) }] })).toBeUndefined();
});
