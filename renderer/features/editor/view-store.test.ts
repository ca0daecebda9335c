import { expect, test } from 'vitest';
import { writeSafe } from '../../desktop/safe-store.ts';
import { keepView, readView } from './view-store.ts';

const view = (line: number) => {
  const position = { lineNumber: line, column: 1 };
  return {
    cursorState: [{ inSelectionMode: false, selectionStart: position, position }],
    viewState: { scrollLeft: 0, firstPosition: position, firstPositionDeltaTop: 0 },
    contributionsState: { folding: { collapsedRegions: [] } },
  };
};

test('the place in each draft is kept, the last hundred of them', () => {
  keepView('draft://p/a.yaml', view(3));
  keepView('draft://p/a.yaml', view(5));
  expect(readView('draft://p/a.yaml')).toEqual(view(5));
  expect(readView('draft://p/b.yaml')).toBeUndefined();
  for (let index = 0; index < 100; index += 1) keepView(`draft://p/${index}.yaml`, view(index + 1));
  expect(readView('draft://p/a.yaml')).toBeUndefined();
  expect(readView('draft://p/99.yaml')).toEqual(view(100));
});

test('what another version kept in another shape is no place', () => {
  writeSafe('editor-views', [['draft://p/a.yaml', { line: 3 }]]);
  expect(readView('draft://p/a.yaml')).toBeUndefined();
});
