import type { Page } from '@playwright/test';

/** What went wrong in a window since it is watched. */
export interface Watched {
  /** Requests of who may not ask, for what is not there, or that failed in the service. */
  readonly refused: string[];
  /** What the page wrote as an error. */
  readonly errors: string[];
}

const REFUSED = new Set([401, 403, 404]);

/** Keeps what goes wrong in a window from now on. */
export function watch(page: Page): Watched {
  const seen: Watched = { refused: [], errors: [] };
  page.on('response', (answer) => {
    if (!REFUSED.has(answer.status()) && answer.status() < 500) return;
    const { pathname, search } = new URL(answer.url());
    seen.refused.push(`${answer.status()} ${answer.request().method()} ${pathname}${search}`);
  });
  page.on('console', (said) => {
    // Chromium's own line about an answer: what counts of those is kept above.
    const isAnswer = said.text().startsWith('Failed to load resource');
    if (said.type() === 'error' && !isAnswer) seen.errors.push(said.text());
  });
  page.on('pageerror', (error) => seen.errors.push(error.message));
  return seen;
}
