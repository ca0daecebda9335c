import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Expects nothing on the page that WCAG 2.2 AA forbids; `at` names the place in what is told. */
export async function expectAccessible(page: Page, at = ''): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.map(({ id, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).slice(0, 4);
    return `${at} ${id} at ${where.join(', ')}`.trim();
  });
  expect(found).toEqual([]);
}
