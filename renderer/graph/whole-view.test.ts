import { expect, test } from 'vitest';
import { fillView, wholeView } from './whole-view.ts';

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

test('a drawing larger than its pane is moved until it fills it', () => {
  const bounds = { x: 0, y: 0, width: 2_000, height: 100 };
  const atTheEnd = fillView(bounds, 400, 300, { x: -1_500, y: 0, zoom: 0.7 });
  expect(atTheEnd).toEqual({ x: 400 - 1_400 - 48, y: 115, zoom: 0.7 });
  expect(fillView(bounds, 400, 300, { x: 100, y: 0, zoom: 0.7 }).x).toBe(48);
  expect(fillView(bounds, 400, 300, { x: -500, y: 0, zoom: 0.7 }).x).toBe(-500);
});
