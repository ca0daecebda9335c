import { type Rect, useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { wholeView } from './whole-view.ts';

/** What a drawing shows when it opens. Stable between renders: each new one is opened. */
export interface CanvasView {
  readonly bounds: Rect;
  /**
   * Where to begin when the whole would be too small to read; absent = the whole in any case. With
   * a height it is put in the middle, else at the top.
   */
  readonly start?:
    | {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height?: number;
      }
    | undefined;
  /** The zoom below which the whole is too small. */
  readonly readableFrom?: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly padding: number;
  /** Opens again when the pane gets another size and nobody has moved the drawing meanwhile. */
  readonly refit?: boolean;
}

/** Below this zoom a drawing is a pattern, not a text. */
const SPECK = 0.22;
const OPEN_ZOOM = 0.7;
const OPEN_TOP = 40;
const RESIZE_MS = 120;

/** Opens a drawing in its pane; answers how to show the whole of it. */
export function useCanvasView(
  host: RefObject<HTMLElement | null>,
  view: CanvasView | null,
): () => void {
  const flow = useReactFlow();
  const opened = useRef<Viewport | null>(null);
  const show = useCallback(
    (viewport: Viewport | null) => {
      opened.current = viewport;
      if (viewport !== null) {
        void flow.setViewport(viewport);
      }
    },
    [flow],
  );
  const showWhole = useCallback(() => show(wholeOf(host.current, view)), [host, view, show]);
  const open = useCallback(() => show(openingOf(host.current, view)), [host, view, show]);
  useEffect(() => {
    const frame = requestAnimationFrame(open);
    return () => cancelAnimationFrame(frame);
  }, [open]);
  useOnResize(host, (before, now) => {
    const at = flow.getViewport();
    const isFirst = before.width === 0 || before.height === 0;
    if (isFirst || (view?.refit === true && isSame(at, opened.current))) {
      open();
    } else {
      // What is looked at stays in the middle.
      void flow.setViewport(movedBy(at, before, now));
    }
  });
  return showWhole;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function wholeOf(host: HTMLElement | null, view: CanvasView | null): Viewport | null {
  return view === null || host === null
    ? null
    : wholeView(view.bounds, host.clientWidth, host.clientHeight, view);
}

function openingOf(host: HTMLElement | null, view: CanvasView | null): Viewport | null {
  const whole = wholeOf(host, view);
  const start = view?.start;
  if (whole === null || host === null || start === undefined) {
    return whole;
  }
  if (whole.zoom >= (view?.readableFrom ?? SPECK)) {
    return whole;
  }
  const top =
    start.height === undefined ? OPEN_TOP : (host.clientHeight - start.height * OPEN_ZOOM) / 2;
  return {
    x: host.clientWidth / 2 - (start.x + start.width / 2) * OPEN_ZOOM,
    y: top - start.y * OPEN_ZOOM,
    zoom: OPEN_ZOOM,
  };
}

function isSame(one: Viewport, other: Viewport | null): boolean {
  return other !== null && one.x === other.x && one.y === other.y && one.zoom === other.zoom;
}

/** The viewport whose middle shows in a pane of another size what it showed before. */
export function movedBy({ x, y, zoom }: Viewport, before: Size, now: Size): Viewport {
  return {
    x: x + (now.width - before.width) / 2,
    y: y + (now.height - before.height) / 2,
    zoom,
  };
}

/** Tells of a pane that is seen and has got another size, once it is still. */
function useOnResize(
  host: RefObject<HTMLElement | null>,
  act: (before: Size, now: Size) => void,
): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return undefined;
    }
    const measured = (): Size => ({ width: element.clientWidth, height: element.clientHeight });
    let before = measured();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      const now = measured();
      if (now.width === 0 || now.height === 0) return;
      if (now.width === before.width && now.height === before.height) return;
      latest.current(before, now);
      before = now;
    };
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(tell, RESIZE_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [host]);
}
