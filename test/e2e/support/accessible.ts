import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What WCAG 2.2 AA forbids on the page, in words; `at` names the place. */
export async function violationsOf(page: Page, at = ''): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).slice(0, 4);
    return `${at} ${id} at ${where.join(', ')}`.trim();
  });
}

/** Expects nothing on the page that WCAG 2.2 AA forbids. */
export async function expectAccessible(page: Page, at = ''): Promise<void> {
  expect(await violationsOf(page, at)).toEqual([]);
}
