import { type Rect, useReactFlow } from '@xyflow/react';
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
  /** Shows the whole again when the pane gets another size. */
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
  const viewport = useCallback(() => {
    const element = host.current;
    return view === null || element === null
      ? null
      : wholeView(view.bounds, element.clientWidth, element.clientHeight, view);
  }, [host, view]);
  const showWhole = useCallback(() => {
    const whole = viewport();
    if (whole !== null) {
      void flow.setViewport(whole);
    }
  }, [viewport, flow]);
  const isSpeck = useCallback(
    () => view?.start !== undefined && (viewport()?.zoom ?? 1) < (view.readableFrom ?? SPECK),
    [view, viewport],
  );
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const start = view?.start;
      if (start === undefined || !isSpeck()) {
        showWhole();
        return;
      }
      const middle = (host.current?.clientWidth ?? 0) / 2;
      const top =
        start.height === undefined
          ? OPEN_TOP
          : ((host.current?.clientHeight ?? 0) - start.height * OPEN_ZOOM) / 2;
      void flow.setViewport({
        x: middle - (start.x + start.width / 2) * OPEN_ZOOM,
        y: top - start.y * OPEN_ZOOM,
        zoom: OPEN_ZOOM,
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [host, view, isSpeck, showWhole, flow]);
  useOnResize(host, () => {
    if (view?.refit === true && !isSpeck()) {
      showWhole();
    }
  });
  return showWhole;
}

function useOnResize(host: RefObject<HTMLElement | null>, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), RESIZE_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [host]);
}
