import type { WindowFacts } from '../../preload/desktop-api.ts';
import { desktopApi } from './bridge.ts';

let facts: WindowFacts | null = null;

/** Asks the shell about this window, once. Await this before anything asks for the answer. */
export async function loadWindowFacts(): Promise<void> {
  facts = (await desktopApi()?.windowFacts()) ?? null;
}

/** What the shell said about this window; null in a browser. */
export function windowFacts(): WindowFacts | null {
  return facts;
}
