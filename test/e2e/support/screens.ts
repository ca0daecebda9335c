import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { violationsOf } from './accessible.ts';
import type { Desktop } from './desktop.ts';
import { resize } from './runs.ts';

/** Pictures are for a person's eyes: where nobody looks they are made only when asked for. */
const PICTURES = process.env['CI'] === undefined || process.env['SPECWRIGHT_SCREENS'] === '1';

const folder = path.resolve(import.meta.dirname, '../../../test-results/screens');

/** Keeps a picture that was taken in another way, at the same place. */
export function keepPicture(png: Buffer, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.png`), png);
}

/** Keeps a picture of the page as `test-results/screens/<name>.png`. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
}

/** The sizes that every screen is made for: large, and the smallest that is promised. */
const SIZES = [
  [1024, 700],
  [1440, 900],
] as const;
const SCHEMES = ['dark', 'light'] as const;
/** Drawings are fitted to a new size a moment later. */
const SETTLED_MS = 300;

/** Where the same story was seen in another form: no pictures, sizes or themes. */
export const UNSEEN = 'unseen';

/** The window, or a page of a browser. */
type Seen = Desktop | Page;
export type Screen = Seen | typeof UNSEEN;

function pageOf(screen: Seen): Page {
  return 'services' in screen ? screen.page : screen;
}

async function setSize(screen: Seen, width: number, height: number): Promise<void> {
  if ('services' in screen) await resize(screen, width, height);
  else {
    await screen.setViewportSize({ width, height });
    await screen.waitForTimeout(SETTLED_MS);
  }
  await untilFitted(pageOf(screen));
}

/** Waits until no drawing moves any more; on a slow machine that takes longer. */
async function untilFitted(page: Page): Promise<void> {
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.react-flow__viewport')]
        .map(({ style }) => style.transform)
        .join(' '),
    );
  let before = await places();
  if (before === '') return;
  await expect
    .poll(
      async () => {
        const now = await places();
        const isStill = now === before;
        before = now;
        return isStill;
      },
      { intervals: [SETTLED_MS] },
    )
    .toBe(true);
}

/** Keeps a picture at both sizes; the screen is large afterwards. */
export async function keepSizes(screen: Seen, name: string): Promise<void> {
  if (!PICTURES) return setSize(screen, 1440, 900);
  for (const [width, height] of SIZES) {
    await setSize(screen, width, height);
    await keepScreen(pageOf(screen), `${name}-${width}`);
  }
}

/** Does something at both sizes and in both themes; the screen is large and light afterwards. */
export async function eachLook(
  screen: Screen,
  act: (look: string) => Promise<void>,
): Promise<void> {
  if (screen === UNSEEN) return;
  for (const colorScheme of SCHEMES) {
    await pageOf(screen).emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [width, height] of SIZES) {
      await setSize(screen, width, height);
      await act(`${colorScheme}-${width}`);
    }
  }
}

async function largeAndLight(screen: Seen): Promise<void> {
  await pageOf(screen).emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await setSize(screen, 1440, 900);
}

/** Keeps a picture at both sizes and in both themes; the screen is large and light afterwards. */
export async function keepLooks(screen: Screen, name: string): Promise<void> {
  if (screen === UNSEEN) return;
  if (!PICTURES) return largeAndLight(screen);
  await eachLook(screen, (look) => keepScreen(pageOf(screen), `${name}-${look}`));
}

/** As `keepLooks`, with nothing in either theme that WCAG 2.2 AA forbids. */
export async function checkLooks(screen: Screen, name: string): Promise<void> {
  if (screen === UNSEEN) return;
  if (PICTURES) await keepLooks(screen, name);
  await expectCleanLooks(screen, name);
}

/** Fails for what WCAG 2.2 AA forbids, in each theme and at each size once; large and light afterwards. */
export async function expectCleanLooks(screen: Seen, name: string): Promise<void> {
  const found: string[] = [];
  for (const [at, [width, height]] of SIZES.entries()) {
    const colorScheme = SCHEMES[at] ?? 'light';
    await pageOf(screen).emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await setSize(screen, width, height);
    const place = `${name} ${colorScheme} ${width}`;
    found.push(...(await violationsOf(pageOf(screen), place, at === 0 ? 'first' : 'again')));
  }
  expect(found).toEqual([]);
}

/**
 * Fails for what WCAG 2.2 AA forbids in either theme, at the size that the page has; light
 * afterwards. For what a change of size would close, such as an open menu.
 */
export async function checkThemes(page: Page, name: string): Promise<void> {
  const found: string[] = [];
  for (const [at, colorScheme] of SCHEMES.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await keepScreen(page, `${name}-${colorScheme}`);
    const look = at === 0 ? 'first' : 'again';
    found.push(...(await violationsOf(page, `${name} ${colorScheme}`, look)));
  }
  expect(found).toEqual([]);
}
