import { expect, test } from 'vitest';
import { ZOOM_SIZES } from '../preload/desktop-api.ts';
import { readZoom, zoomAfter } from './zoom-sizes.ts';

test('the size goes by steps from 50 to 200 percent, and back to its own', () => {
  const up = ZOOM_SIZES.slice(1).map((_, at) => zoomAfter(ZOOM_SIZES[at] ?? 0, 'in'));
  expect(up).toEqual(ZOOM_SIZES.slice(1));
  expect(zoomAfter(200, 'in')).toBe(200);
  expect(zoomAfter(50, 'out')).toBe(50);
  expect(zoomAfter(110, 'out')).toBe(100);
  expect(zoomAfter(175, 'reset')).toBe(100);
});

test('a size that is none of the list is the nearest one', () => {
  expect([readZoom(130), readZoom(9_999), readZoom(-1)]).toEqual([125, 200, 50]);
  expect([readZoom('150'), readZoom(Number.NaN), readZoom(null)]).toEqual([100, 100, 100]);
});
