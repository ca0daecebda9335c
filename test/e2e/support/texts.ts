import type { Page } from '@playwright/test';
import { errorInBrief } from '../../../renderer/data/run-error.ts';

/** Lets every document of the page begin in a language, as if it had been chosen before. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.addInitScript((chosen) => {
    const kept: unknown = JSON.parse(window.localStorage.getItem('sw:preferences') ?? '{}');
    const preferences = { ...(typeof kept === 'object' ? kept : {}), language: chosen };
    window.localStorage.setItem('sw:preferences', JSON.stringify(preferences));
  }, language);
}

/** Letters and digits alone: "chatTrigger" and "chat trigger" are one. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
}

/** Names that a YAML text gives to its values. */
const NAME_OF_VALUE = /^[ -]*["']?([\w.-]+)["']?:/gm;

/** Values, and of the names those that no label of the window looks like. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value, ...[...value.matchAll(NAME_OF_VALUE)].map(([, name = '']) => name)];
  }
  if (typeof value !== 'object' || value === null) return [];
  const names = Object.keys(value).filter((name) => name.includes('_'));
  return [...names, ...Object.values(value).flatMap(stringsIn)];
}

/** What the services answered so far. */
export interface Heard {
  has(text: string): boolean;
}

/** From this length on a piece of an answer is known as one; a short word is in many by chance. */
const TELLING = 8;

function isHeard(heard: ReadonlySet<string>, text: string): boolean {
  return (
    heard.has(text) || (text.length >= TELLING && [...heard].some((one) => one.includes(text)))
  );
}

/** Remembers every text that the services answer: what of it stands in the window is data. */
export function hearServices(page: Page): Heard {
  const heard = new Set<string>();
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('json')) return;
    response.json().then(
      (body: unknown) => {
        for (const text of stringsIn(body)) {
          heard.add(plain(text));
          heard.add(plain(errorInBrief(text) ?? text));
        }
      },
      // The body is gone with the page that asked for it.
      () => undefined,
    );
  });
  return { has: (text) => isHeard(heard, plain(text)) };
}

/** What no catalogue holds: an hour as `Intl` says it, the end of an id, the time of the world. */
const UNTRANSLATED = /\d{1,2}:\d{2}\s[AP]M|…[\da-f]{6}\b|\bUTC\b/g;

function withoutBrackets(text: string): string {
  let rest = text.replaceAll(UNTRANSLATED, '|');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\[[^[\]]*\]/g, '|');
  }
  return rest;
}

/** Texts and accessible names that the page shows now, without code, editors, names and words of services. */
async function shownTexts(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const apart =
      '[lang="en"], [translate="no"], .monaco-editor, .react-flow__attribution, .sw-trace-what, code, pre, kbd, time';
    const seen = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const isShown = parent?.checkVisibility() === true && parent.closest(apart) === null;
      if (isShown) seen.add(node.nodeValue ?? '');
    }
    // The field that a library measures with is hidden; an event's title is what and whom a trace names.
    const unnamed = `${apart}, textarea[aria-hidden="true"], .sw-trace-name`;
    for (const name of ['aria-label', 'aria-description', 'placeholder', 'title', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const isNamed = element.closest(apart) === null && !element.matches(unnamed);
        if (isNamed) seen.add(element.getAttribute(name) ?? '');
      }
    }
    return [...seen];
  });
}

/** What stands between data: an answer may hold the whole of it, or its parts. */
const SPLITS = [/\|/, /·/, /[…:,()/]|(?<= )(?=\d)/];

/**
 * Texts and accessible names of the page, in strange English, that stand in no brackets and that no
 * service answered: nobody sent them through the catalogue.
 */
export async function bareTexts(page: Page, heard: Heard): Promise<readonly string[]> {
  const isBare = (text: string, [split, ...finer]: readonly RegExp[]): boolean =>
    /\p{L}{2}/u.test(text) &&
    !heard.has(text) &&
    (split === undefined || text.split(split).some((piece) => isBare(piece, finer)));
  return (await shownTexts(page))
    .filter((text) => !heard.has(text) && isBare(withoutBrackets(text), SPLITS))
    .map((text) => text.trim());
}

/** Waits until the page has said the same for half a second, at most four. */
export async function settledTexts(page: Page): Promise<void> {
  let before = '';
  for (let looks = 0; looks < 8; looks += 1) {
    const now = await page.locator('body').innerText();
    const isWaiting = (await page.locator('.mantine-Skeleton-root').count()) > 0;
    if (now === before && !isWaiting) return;
    before = now;
    await page.waitForTimeout(500);
  }
}
