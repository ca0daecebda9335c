import { expect, it } from 'vitest';
import { openDocument } from '../../../server/spec/language/open-document.ts';
import { outlineRows, outlineTrail } from './outline-model.ts';
import { outlineOfText } from './spec-language.ts';

const TEXT = `version: v1
agent: {name: root}
workflow:
  type: sequential
  steps:
    - {id: a, kind: agent, ref: x}
    - id: b
      kind: agent
      ref: x
`;
const items = outlineOfText(openDocument(TEXT));

it('names the parts that hold a line', () => {
  expect(outlineTrail(items, 8).map(({ name }) => name)).toEqual(['workflow', 'b']);
  expect(outlineTrail(items, 4).map(({ name }) => name)).toEqual(['workflow']);
  expect(outlineTrail(items, 40)).toEqual([]);
});

it('lists every part with its depth', () => {
  expect(outlineRows(items).map(({ item, depth }) => `${depth} ${item.name}`)).toEqual([
    '0 version',
    '0 agent',
    '0 workflow',
    '1 a',
    '1 b',
  ]);
});
