import { useReactFlow, type Viewport } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { prefersStill } from '../ui/prefers-still.ts';
import type { PlacedNode } from './layout-model.ts';

const READABLE = 0.7;
const MILLISECONDS = 180;
const NOBODY: readonly string[] = [];

/**
 * Brings a node into view when it becomes the active one or is moved, unless it can be read where
 * it is. `others` are active with it: where one of them is in view, nothing moves.
 */
export function useFollow(
  host: { readonly current: HTMLElement | null },
  places: readonly PlacedNode[],
  activeId: string | null,
  others: readonly string[] = NOBODY,
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
      const viewport = flow.getViewport();
      const { zoom } = viewport;
      const isInside = (node: PlacedNode): boolean => isInView(node, viewport, element);
      const isSeen =
        others.length === 0
          ? isInside(place) && zoom >= READABLE
          : places.some((node) => others.includes(node.id) && isInside(node)) || isInside(place);
      if (!isSeen) {
        void flow.setCenter(place.x + place.width / 2, place.y + place.height / 2, {
          zoom: Math.max(zoom, READABLE),
          duration: prefersStill() ? 0 : MILLISECONDS,
        });
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [host, places, activeId, others, flow]);
}

function isInView(node: PlacedNode, { x, y, zoom }: Viewport, pane: HTMLElement): boolean {
  const left = node.x * zoom + x;
  const top = node.y * zoom + y;
  return (
    left >= 0 &&
    top >= 0 &&
    left + node.width * zoom <= pane.clientWidth &&
    top + node.height * zoom <= pane.clientHeight
  );
}
