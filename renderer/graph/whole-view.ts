import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';

interface Fit {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Share of the pane that stays free around the drawing. */
  readonly padding: number;
}

/** The buttons for zoom, at the lower left of each pane, in pixels. */
const BUTTONS = { width: 118, height: 54 };

function coversButtons(bounds: Rect, view: Viewport, height: number): boolean {
  const left = bounds.x * view.zoom + view.x;
  const bottom = (bounds.y + bounds.height) * view.zoom + view.y;
  return left < BUTTONS.width && bottom > height - BUTTONS.height;
}

/**
 * The viewport that shows the whole of `bounds`; what would lie under the buttons stands above or
 * beside them, where it is larger.
 */
export function wholeView(bounds: Rect, width: number, height: number, fit: Fit): Viewport {
  const view = (padding: Parameters<typeof getViewportForBounds>[5]) =>
    getViewportForBounds(bounds, width, height, fit.minZoom, fit.maxZoom, padding);
  const plain = view(fit.padding);
  if (!coversButtons(bounds, plain, height)) {
    return plain;
  }
  const above = view({ x: fit.padding, top: fit.padding, bottom: `${BUTTONS.height}px` });
  const beside = view({ y: fit.padding, right: fit.padding, left: `${BUTTONS.width}px` });
  return beside.zoom > above.zoom ? beside : above;
}
