import { expect, test } from 'vitest';
import { movedBy } from './use-canvas-view.ts';

test('what stands in the middle of a pane stays there when the pane gets another size', () => {
  const before = { width: 400, height: 600 };
  const now = { width: 400, height: 200 };
  const view = { x: 50, y: -1000, zoom: 0.5 };
  const middle = (size: typeof now, { x, y, zoom }: typeof view) => [
    (size.width / 2 - x) / zoom,
    (size.height / 2 - y) / zoom,
  ];
  expect(middle(now, movedBy(view, before, now))).toEqual(middle(before, view));
});
