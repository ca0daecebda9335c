import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

const TEXT = 'Read [the manual](https://docs.example/jam?model=7) first.';
const ADDRESS = 'https://docs.example/jam?model=7';

test('a link in the output of a run shows its address; the person opens or copies it', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { app, page } = desktop;
  await desktop.ready();
  const run = await startRun(desktop, { spec: fixtureSpec('support-triage.yaml'), input: TEXT });
  await page.evaluate((id) => {
    location.hash = `/runs/${id}`;
  }, run);
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await page.getByTestId('run-page').getByText('Markdown', { exact: true }).click();
  const link = page.locator('.sw-markdown').getByRole('link', { name: 'the manual' }).first();

  // The question is the system's; the test answers in its place.
  const answer = (button: number) =>
    app.evaluate(({ dialog, shell, clipboard }, response) => {
      const told = { asked: '', opened: '' };
      Object.assign(globalThis, { told });
      clipboard.clear();
      dialog.showMessageBox = async (...given: unknown[]) => {
        told.asked = JSON.stringify(given.at(-1));
        return { response, checkboxChecked: false };
      };
      shell.openExternal = async (address: string) => {
        told.opened = address;
      };
    }, button);
  const told = () =>
    app.evaluate(({ clipboard }) => {
      const { told: kept } = globalThis as unknown as { told: { asked: string; opened: string } };
      return { ...kept, copied: clipboard.readText() };
    });

  await answer(0);
  await link.click();
  await expect.poll(async () => (await told()).asked).toContain(ADDRESS);
  expect(await told()).toMatchObject({ opened: '', copied: '' });
  await answer(1);
  await link.click();
  await expect(page.getByText('The address is copied')).toBeVisible();
  expect(await told()).toMatchObject({ opened: '', copied: ADDRESS });
  await answer(2);
  await link.click();
  await expect.poll(async () => (await told()).opened).toBe(ADDRESS);
  // What is no site is refused by the shell itself, whoever asks.
  await answer(2);
  const refused = await page.evaluate(async () => {
    const { specwright } = window as {
      specwright?: { offerAddress(address: string): Promise<string | null> };
    };
    return await specwright?.offerAddress('file:///etc/passwd');
  });
  expect(refused).toBe(null);
  expect(await told()).toMatchObject({ asked: '', opened: '' });
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});

test('in a browser the window asks first', async () => {
  const folder = scratchFolder();
  const headless = await serveHeadless({ folder: folder.path });
  const browser = await openChromium();
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });
  const page = await context.newPage();
  const made = await fetch(`${headless.urls.platform}/v1/runs`, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: fixtureSpec('support-triage.yaml'), input: TEXT }),
  });
  const { run_id } = (await made.json()) as { run_id: string };
  await page.goto(headless.link);
  await page.goto(`${headless.urls.gateway}/runs/${run_id}`);
  await page.getByTestId('run-page').getByText('Markdown', { exact: true }).click();
  await page.locator('.sw-markdown').getByRole('link', { name: 'the manual' }).first().click();
  await expect(page.getByTestId('outside-address')).toHaveText(ADDRESS);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await keepScreen(page, `outside-link-${colorScheme}`);
    await expectAccessible(page);
  }
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('outside-address')).toHaveCount(0);
  expect(context.pages()).toHaveLength(1);
  await browser.close();
  await headless.stop();
  folder.remove();
});
