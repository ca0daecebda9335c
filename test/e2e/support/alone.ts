import { expect, type Page } from '@playwright/test';
import { type Alone, serveAlone } from './serve-one.ts';

/** Gives a page that asks for it the key of the service at whose address it is. */
export async function typeKey(page: Page, { key }: Pick<Alone, 'key'>): Promise<void> {
  const form = page.getByTestId('key-form');
  await form.getByLabel('Key of the service', { exact: true }).fill(key);
  await form.getByRole('button', { name: 'Open' }).click();
}

/** Starts a run at a platform that is served by itself; answers its id. */
export async function startRunAt(
  { url, key }: Pick<Alone, 'url' | 'key'>,
  spec: unknown,
  input: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec, input, async_mode: true, ...more }),
  });
  expect(answer.ok, `${answer.status}`).toBe(true);
  const { run_id } = await answer.json();
  return run_id;
}

/** Writes through the API of a dashboard that is served by itself. */
export async function putAt(
  { url, key }: Pick<Alone, 'url' | 'key'>,
  path: string,
  body: object,
): Promise<void> {
  const answer = await fetch(`${url}/api${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** A key that the platform takes after a restart too. */
export const LASTING_KEY = 'the-key-of-the-dashboard';

/** A platform by itself that takes the lasting key beside the one of its start. */
export function servePlatform(folder: string, port?: number): Promise<Alone> {
  return serveAlone(folder, ['service', 'serve'], {
    env: { SERV_API_KEYS: `dashboard:${LASTING_KEY}:admin` },
    ...(port === undefined ? {} : { port }),
  });
}

export function portOf({ url }: Pick<Alone, 'url'>): number {
  return Number(new URL(url).port);
}
