import { expect, test } from 'vitest';
import { wholeView } from './whole-view.ts';

const FIT = { minZoom: 0.1, maxZoom: 1, padding: 0.1 };

function bottomOf(
  bounds: { y: number; height: number },
  view: { y: number; zoom: number },
): number {
  return (bounds.y + bounds.height) * view.zoom + view.y;
}

test('a drawing that fits beside the buttons is put in the middle', () => {
  const bounds = { x: 0, y: 0, width: 100, height: 400 };
  expect(wholeView(bounds, 600, 440, FIT)).toEqual({ x: 250, y: 20, zoom: 1 });
});

test('one that would lie under the buttons stands above them, whole', () => {
  const bounds = { x: 0, y: 0, width: 230, height: 260 };
  const view = wholeView(bounds, 295, 255, FIT);
  expect(bottomOf(bounds, view)).toBeLessThanOrEqual(255 - 54);
  expect(view.y).toBeGreaterThan(0);
  expect(view.x).toBeGreaterThan(0);
});

test('a wide one in a low pane stands beside them, where it is larger', () => {
  const bounds = { x: 0, y: 0, width: 1400, height: 510 };
  const view = wholeView(bounds, 652, 240, FIT);
  expect(view.x).toBeGreaterThanOrEqual(118);
  expect(view.zoom).toBeGreaterThan(wholeView({ ...bounds, x: 0 }, 652, 120, FIT).zoom);
  expect(bottomOf(bounds, view)).toBeLessThanOrEqual(240);
});
