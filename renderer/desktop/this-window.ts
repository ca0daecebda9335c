import type { WindowFacts } from '../../preload/desktop-api.ts';
import { desktopApi } from './bridge.ts';

let facts: WindowFacts | null = null;
let open: ReadonlySet<string> = new Set();

/** Asks the shell about this window, once. Await this before anything asks for the answer. */
export async function loadWindowFacts(): Promise<void> {
  const api = desktopApi();
  if (api === undefined) return;
  api.onWindows((ids) => {
    open = new Set(ids);
  });
  facts = await api.windowFacts();
  open = new Set(facts.open);
}

/** What the shell said about this window; null in a browser. */
export function windowFacts(): WindowFacts | null {
  return facts;
}

/** True for the id of another window that is open now. */
export function isOtherWindow(id: string): boolean {
  return id !== facts?.id && open.has(id);
}
