import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';

const root = path.resolve(import.meta.dirname, '../../..');

/** What somebody at the server types. */
export function hostWord(
  folder: string,
  mode: 'static' | 'oidc',
  ...words: readonly string[]
): string {
  const node = path.join(root, 'node_modules/.bin/node');
  const all = [path.join(root, 'out/main/server.mjs'), ...words, '--data', folder];
  const env = { ...process.env, STUDIO_AUTH_MODE: mode };
  return execFileSync(node, all, { encoding: 'utf8', env }).trim();
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A browser of one person. */
export async function person(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  return page;
}

/** Signs in at the identity provider of the tests. */
export async function atProvider(page: Page, who: string): Promise<void> {
  await page.locator('input[name="login"]').fill(who);
  await page.locator('input[name="password"]').fill('any');
  await page.getByRole('button', { name: /sign-in/i }).click();
  await page.getByRole('button', { name: /continue/i }).click();
}
