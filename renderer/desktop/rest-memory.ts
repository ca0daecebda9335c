type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

function isCollect(value: unknown): value is Collect {
  return typeof value === 'function';
}

/** Nobody has touched the window for so long: it rests. */
const REST_MS = 15_000;
/** What a page that follows a run leaves behind is collected so often. */
const AGAIN_MS = 600_000;
const TOUCHES = ['pointerdown', 'keydown', 'wheel'];

/**
 * Collects the garbage of a window that rests: the engine does so while something is allocated, and
 * the elements of the pages before stayed for hours. `collect` is the engine's own, which the shell
 * gives to its windows; without one, as in a browser, nothing is done. Answers what ends the watch.
 */
export function freeMemoryAtRest(
  target: EventTarget = window,
  collect: unknown = Reflect.get(globalThis, 'gc'),
): () => void {
  if (!isCollect(collect)) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restIn = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void collect({ type: 'major', execution: 'async' });
      restIn(AGAIN_MS);
    }, delay);
  };
  const touched = (): void => restIn(REST_MS);
  for (const touch of TOUCHES) {
    target.addEventListener(touch, touched, { capture: true, passive: true });
  }
  touched();
  return () => {
    clearTimeout(timer);
    for (const touch of TOUCHES) target.removeEventListener(touch, touched, { capture: true });
  };
}
