import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';

interface Fit {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Share of the pane that stays free around the drawing. */
  readonly padding: number;
}

/** The buttons for zoom, at the lower left of each pane, in pixels. */
const BUTTONS = { width: 118, height: 54 };

/** What stays free between a drawing that is larger than its pane and the edge, in pixels. */
const RIM = 48;

function coversButtons(bounds: Rect, view: Viewport, height: number): boolean {
  const left = bounds.x * view.zoom + view.x;
  const bottom = (bounds.y + bounds.height) * view.zoom + view.y;
  return left < BUTTONS.width && bottom > height - BUTTONS.height;
}

/** Where the drawing begins on one axis so that no more of the pane stays empty than must. */
function filled(wanted: number, from: number, size: number, pane: number): number {
  const free = pane - size;
  const [low, high] = [free - from - RIM, RIM - from];
  return low > high ? free / 2 - from : Math.min(Math.max(wanted, low), high);
}

/** `view` moved as little as lets `bounds` fill the pane; along an axis that has room it is put in the middle. */
export function fillView(bounds: Rect, width: number, height: number, view: Viewport): Viewport {
  const { zoom } = view;
  return {
    x: filled(view.x, bounds.x * zoom, bounds.width * zoom, width),
    y: filled(view.y, bounds.y * zoom, bounds.height * zoom, height),
    zoom,
  };
}

/** The viewport that shows the whole of `bounds`; what would lie under the buttons stands above them. */
export function wholeView(bounds: Rect, width: number, height: number, fit: Fit): Viewport {
  const view = (padding: Parameters<typeof getViewportForBounds>[5]) =>
    getViewportForBounds(bounds, width, height, fit.minZoom, fit.maxZoom, padding);
  const plain = view(fit.padding);
  if (!coversButtons(bounds, plain, height)) {
    return plain;
  }
  return view({ x: fit.padding, top: fit.padding, bottom: `${BUTTONS.height}px` });
}
