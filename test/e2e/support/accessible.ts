import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules whose answer another theme or another size of the window can change. */
const OF_LOOKS = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
];

/**
 * What WCAG 2.2 AA forbids on the page, in words; `at` names the place. A second look at the same
 * page asks again only for what colours and sizes change.
 */
export async function violationsOf(page: Page, at = '', look: 'first' | 'again' = 'first') {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (look === 'again') axe.withRules(OF_LOOKS);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).slice(0, 4);
    return `${at} ${id} at ${where.join(', ')}`.trim();
  });
}

/** Expects nothing on the page that WCAG 2.2 AA forbids. */
export async function expectAccessible(page: Page, at = ''): Promise<void> {
  expect(await violationsOf(page, at)).toEqual([]);
}
