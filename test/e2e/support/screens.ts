import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './accessible.ts';
import type { Desktop } from './desktop.ts';
import { resize } from './runs.ts';

const folder = path.resolve(import.meta.dirname, '../../../test-results/screens');

/** Keeps a picture that was taken in another way, at the same place. */
export function keepPicture(png: Buffer, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.png`), png);
}

/** Keeps a picture of the page as `test-results/screens/<name>.png`. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
}

/** The sizes that every screen is made for: large, and the smallest that is promised. */
const SIZES = [
  [1024, 700],
  [1440, 900],
] as const;
const SCHEMES = ['dark', 'light'] as const;

/** Keeps a picture of the window at both sizes; it is large afterwards. */
export async function keepSizes(desktop: Desktop, name: string): Promise<void> {
  for (const [width, height] of SIZES) {
    await resize(desktop, width, height);
    await keepScreen(desktop.page, `${name}-${width}`);
  }
}

/** Keeps a picture at both sizes and in both themes; the window is large and light afterwards. */
export async function keepLooks(desktop: Desktop, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await desktop.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await keepSizes(desktop, `${name}-${colorScheme}`);
  }
}

/** As `keepLooks`, with nothing in either theme that WCAG 2.2 AA forbids. */
export async function checkLooks(desktop: Desktop, name: string): Promise<void> {
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await desktop.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await keepSizes(desktop, `${name}-${colorScheme}`);
    found.push(...(await violationsOf(desktop.page, `${name} ${colorScheme}`)));
  }
  expect(found).toEqual([]);
}
