import { useReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { prefersStill } from '../ui/prefers-still.ts';
import type { PlacedNode } from './layout-model.ts';

const READABLE = 0.7;
const MILLISECONDS = 180;

/** Brings a node into view when it becomes the active one or is moved, unless it can be read where it is. */
export function useFollow(
  host: { readonly current: HTMLElement | null },
  places: readonly PlacedNode[],
  activeId: string | null,
): void {
  const flow = useReactFlow();
  const last = useRef({ activeId, places });
  useEffect(() => {
    const place = places.find(({ id }) => id === activeId);
    const element = host.current;
    const fresh = last.current.activeId !== activeId || last.current.places !== places;
    if (activeId === null) {
      last.current = { activeId, places };
    }
    // A node that is not laid out yet is gone to as soon as it is.
    if (place === undefined || element === null || !fresh) {
      return undefined;
    }
    last.current = { activeId, places };
    const frame = requestAnimationFrame(() => {
      const { x, y, zoom } = flow.getViewport();
      const left = place.x * zoom + x;
      const top = place.y * zoom + y;
      const right = left + place.width * zoom;
      const bottom = top + place.height * zoom;
      const { clientWidth, clientHeight } = element;
      const inside = left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
      if (!inside || zoom < READABLE) {
        void flow.setCenter(place.x + place.width / 2, place.y + place.height / 2, {
          zoom: Math.max(zoom, READABLE),
          duration: prefersStill() ? 0 : MILLISECONDS,
        });
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [host, places, activeId, flow]);
}
