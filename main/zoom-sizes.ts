import { ZOOM_SIZES, type ZoomChange } from '../preload/desktop-api.ts';

const OWN_SIZE = 100;

/** The size of the list that is nearest to a number of percent. */
export function readZoom(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return OWN_SIZE;
  const [nearest = OWN_SIZE] = ZOOM_SIZES.toSorted(
    (one, other) => Math.abs(one - value) - Math.abs(other - value),
  );
  return nearest;
}

/** The size after a change; the largest and the smallest stay. */
export function zoomAfter(now: number, change: ZoomChange): number {
  if (change === 'reset') return OWN_SIZE;
  if (change === 'in') return ZOOM_SIZES.find((size) => size > now) ?? now;
  if (change === 'out') return ZOOM_SIZES.findLast((size) => size < now) ?? now;
  return readZoom(change);
}
