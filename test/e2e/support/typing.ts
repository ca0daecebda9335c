import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';

/** When what a keystroke changes was painted, in milliseconds after the key went down. */
export interface Painted {
  readonly text: number;
  readonly findings: number;
}

interface Watch {
  started: number;
  text: number;
  findings: number;
}

declare global {
  interface Window {
    typingWatch?: Watch;
  }
}

/** Notes the paint after each change of the text and of the count of problems. */
export async function watchTyping(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch: Watch = { started: 0, text: 0, findings: 0 };
    window.typingWatch = watch;
    const note = (selector: string, what: 'text' | 'findings'): void => {
      const part = document.querySelector(selector);
      if (part === null) throw new Error(`Nothing to watch: ${selector}`);
      new MutationObserver(() => {
        if (watch[what] !== 0 || watch.started === 0) return;
        watch[what] = -1;
        requestAnimationFrame(() => {
          watch[what] = performance.now();
        });
      }).observe(part, { subtree: true, childList: true, characterData: true });
    };
    note('.monaco-editor .view-lines', 'text');
    note('[data-testid="status-problems"]', 'findings');
    const start = (): void => {
      Object.assign(watch, { started: performance.now(), text: 0, findings: 0 });
    };
    window.addEventListener('keydown', start, { capture: true });
  });
}

/** Presses a key that changes the text and the count of problems, and waits for both. */
export async function timeKey(page: Page, key: string): Promise<Painted> {
  await page.keyboard.press(key);
  const done = await page.waitForFunction(() => {
    const watch = window.typingWatch;
    return watch !== undefined && watch.text > 0 && watch.findings > 0 ? { ...watch } : null;
  });
  const watch = await done.jsonValue();
  if (watch === null) throw new Error('Nothing was painted.');
  return { text: watch.text - watch.started, findings: watch.findings - watch.started };
}

function share(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0);
}

/** Writes the figures of a measured way of typing beside the screens. */
export function keepTyping(name: string, samples: readonly Painted[]): string {
  const figures = Object.fromEntries(
    (['text', 'findings'] as const).map((what) => {
      const times = samples.map((one) => one[what]);
      return [what, { median: share(times, 0.5), p95: share(times, 0.95), unit: 'ms' }];
    }),
  );
  const folder = path.resolve(import.meta.dirname, '../../../test-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
  return JSON.stringify(figures);
}
