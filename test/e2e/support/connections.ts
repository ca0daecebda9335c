import { expect, type Page } from '@playwright/test';
import type { Authority } from '../../support/test-authority.ts';
import type { Headless } from './headless.ts';

export interface ConnectionSettings {
  readonly name: string;
  readonly color: string;
  readonly platform: string | null;
  readonly dashboard: string | null;
  readonly studio?: string | null;
  readonly drafts?: 'here' | 'there';
  readonly auth: object;
  readonly key?: string;
}

interface Bridge {
  services(): Promise<{ readonly gateway: { readonly url: string; readonly token: string } }>;
}

/** Adds a connection as Settings does, from the page; `remotes.spec.ts` fills the form in. */
export async function addConnection(
  page: Page,
  authority: Authority,
  settings: ConnectionSettings,
): Promise<void> {
  const body = JSON.stringify({
    ...{ studio: null, drafts: 'here', authorities: authority.cert, proxy: { kind: 'system' } },
    ...settings,
  });
  const status = await page.evaluate(async (sent) => {
    const { services } = (window as unknown as { specwright: Bridge }).specwright;
    const { gateway } = await services();
    const headers = {
      authorization: `Bearer ${gateway.token}`,
      'content-type': 'application/json',
    };
    const url = `${gateway.url}/gateway/connections`;
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  }, body);
  expect(status).toBe(201);
}

/** Leads a window to a connection by the menu of its title bar. */
export async function connectTo(page: Page, name: string): Promise<void> {
  await page.getByTestId('connection').click();
  await page.getByTestId(`connection-to-${name}`).click();
  await expect(page.getByTestId('connection')).toContainText(name);
}

/** The key that services of a start take. */
export function keyOf({ headers }: Headless): string {
  return (headers['authorization'] ?? '').replace('Bearer ', '');
}
