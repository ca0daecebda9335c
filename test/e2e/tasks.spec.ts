import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec, resize, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const SPEC = fixtureSpec('invoice-approval.yaml');

interface Platform {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function platformOf(desktop: Desktop): Promise<Platform> {
  const { gateway } = await desktop.services();
  return {
    url: `${gateway.url}/platform/v1`,
    headers: { authorization: `Bearer ${gateway.token}`, origin: 'app://specwright' },
  };
}

/** How many runs have which status. */
async function statuses({ url, headers }: Platform): Promise<Record<string, number>> {
  const answer = await fetch(`${url}/runs?limit=100`, { headers });
  const { runs } = (await answer.json()) as { runs: { status: string }[] };
  const counts: Record<string, number> = {};
  for (const { status } of runs) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function startTasks(desktop: Desktop, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await startRun(desktop, { spec: SPEC, input: `invoice ${n}` });
  }
}

/** Both are seen, the one above the other. */
async function expectApart(below: Locator, above: Locator): Promise<void> {
  await expect(above).toBeVisible();
  await expect(async () => {
    const [low, high] = await Promise.all([below.boundingBox(), above.boundingBox()]);
    expect((high?.y ?? 0) + (high?.height ?? 0)).toBeLessThanOrEqual(low?.y ?? 0);
  }).toPass({ timeout: 1_500 });
}

async function openTasks(page: Page, count: number): Promise<void> {
  await page.getByTestId('place-tasks').click();
  await expect(page.getByRole('list', { name: 'Open tasks' }).getByRole('button')).toHaveCount(
    count,
    { timeout: 30_000 },
  );
  await expect(page.getByTestId('task')).toBeVisible();
}

test('keys decide every task: moving on and leaving send, undo sends nothing (OD tasks)', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const platform = await platformOf(desktop);
  await startTasks(desktop, 21);
  await openTasks(page, 21);

  // Words narrow the list; Escape gives it and its keys back.
  const open = page.getByRole('list', { name: 'Open tasks' }).getByRole('button');
  await page.keyboard.press('/');
  await page.keyboard.type('invoice 21');
  await expect(open).toHaveCount(1);
  await expect(page.getByTestId('task')).toContainText('invoice 21');
  await keepScreen(page, 'tasks-search');
  await expectAccessible(page);
  await page.keyboard.type(' never');
  await expect(page.getByText('No open task has these words.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(open).toHaveCount(21);

  await page.keyboard.press('a');
  await expect(page.getByTestId('held-decision')).toContainText('Approve');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await keepScreen(page, `tasks-${scheme}-held`);
  }
  await page.keyboard.press('u');
  await expect(page.getByTestId('held-decision')).toBeHidden();
  await page.waitForTimeout(6_000);
  expect(await statuses(platform)).toEqual({ blocked: 21 });

  // Left alone, a decision is sent when its seconds are over.
  await page.keyboard.press('a');
  await page.waitForTimeout(2_500);
  expect(await statuses(platform)).toEqual({ blocked: 21 });
  await expect.poll(() => statuses(platform)).toEqual({ blocked: 20, completed: 1 });
  await openTasks(page, 20);

  for (let n = 0; n < 20; n += 1) {
    await page.keyboard.press('a');
    await page.keyboard.press('j');
  }
  await expect.poll(() => statuses(platform), { timeout: 30_000 }).toEqual({ completed: 21 });
  await expect(page.getByText('No tasks are waiting')).toBeVisible();

  // Leaving the page sends too.
  await startTasks(desktop, 2);
  await openTasks(page, 2);
  await resize(desktop, 1024, 700);
  await page.keyboard.press('a');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expectApart(page.getByTestId('held-decision'), page.locator('.sw-confirmation').last());
  await keepScreen(page, 'tasks-dark-held-small');
  await expectAccessible(page);
  await page.getByTestId('place-runs').click();
  await expect.poll(() => statuses(platform), { timeout: 2_000 }).toEqual({ completed: 23 });
  expect(desktop.errors.filter((line) => !line.includes('404'))).toEqual([]);
  await desktop.close();
  folder.remove();
});

test('equal tasks are answered together after a look; a click is undone; a decided task says so', async () => {
  const { folder, desktop, page } = await openStillWindow();
  const platform = await platformOf(desktop);
  await startTasks(desktop, 3);
  await openTasks(page, 3);
  await page.getByTestId('decide-rejected').click();
  await expect(page.getByTestId('held-decision')).toContainText('Reject');
  await page.getByTestId('undo-decision').click();
  await page.keyboard.press('j');
  const address = new URL(page.url()).hash.slice(1);
  await expect(page.getByTestId('equal-tasks')).toContainText('3 tasks ask the same');
  await keepScreen(page, 'tasks-equal');
  await page.getByTestId('all-approved').click();
  await expect(page.getByTestId('bulk-dialog').getByRole('listitem')).toHaveCount(3);
  for (const [size, width, height] of [
    ['large', 1440, 900],
    ['small', 1024, 700],
  ] as const) {
    await resize(desktop, width, height);
    await keepScreen(page, `tasks-equal-review-${size}`);
  }
  await expectAccessible(page);
  await page.getByTestId('bulk-start').click();
  await expect(page.getByTestId('bulk-sum')).toHaveText('3 tasks of 3 answered');
  expect(await statuses(platform)).toEqual({ completed: 3 });
  await page.getByTestId('bulk-close').click();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await expect(page.getByTestId('gone-task')).toContainText('not open any more');
  await keepScreen(page, 'tasks-gone');
  expect(desktop.errors.filter((line) => !line.includes('404'))).toEqual([]);
  await desktop.close();
  folder.remove();
});

for (const way of ['the window', 'the application'] as const) {
  test(`a decision is sent when ${way} is closed a moment later`, async () => {
    const folder = scratchFolder();
    const desktop = await openDesktop({ folder: folder.path });
    await desktop.ready();
    await startTasks(desktop, 1);
    await openTasks(desktop.page, 1);
    await desktop.page.keyboard.press('a');
    await expect(desktop.page.getByTestId('held-decision')).toBeVisible();
    const closed = desktop.app.waitForEvent('close');
    await desktop.app.evaluate(({ app, BrowserWindow }, quit) => {
      setTimeout(() => (quit ? app.quit() : BrowserWindow.getAllWindows()[0]?.close()), 0);
    }, way === 'the application');
    await closed;

    // Only the services: a window of the next start could send it as well.
    const headless = await serveHeadless({ folder: folder.path });
    const platform = { url: `${headless.urls.platform}/v1`, headers: headless.headers };
    await expect.poll(() => statuses(platform), { timeout: 5_000 }).toEqual({ completed: 1 });
    await headless.stop();
    folder.remove();
  });
}

test('while the services restart a decision is kept, said, and sent afterwards', async () => {
  const folder = scratchFolder();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  await startTasks(desktop, 2);
  await openTasks(page, 2);
  await page.keyboard.press('a');
  await expect(page.getByTestId('held-decision')).toBeVisible();
  await page.evaluate(() => {
    const { specwright } = window as { specwright?: { restartServices(): Promise<void> } };
    return specwright?.restartServices();
  });
  await page.keyboard.press('j');
  const platform = await platformOf(desktop);
  await expect
    .poll(() => statuses(platform).catch(() => 'away'), { timeout: 20_000 })
    .toEqual({ completed: 1, blocked: 1 });
  await desktop.close();
  folder.remove();
});

test('in a browser a reload sends the decision; the services being gone keeps it', async () => {
  const folder = scratchFolder();
  let headless = await serveHeadless({ folder: folder.path });
  const browser = await openChromium();
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });
  const page = await context.newPage();
  const counts = () => statuses({ url: `${headless.urls.platform}/v1`, headers: headless.headers });
  for (const input of ['one', 'two']) {
    await fetch(`${headless.urls.platform}/v1/runs`, {
      method: 'POST',
      headers: { ...headless.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ spec: SPEC, input, async_mode: true }),
    });
  }
  await page.goto(headless.link);
  await openTasks(page, 2);
  await page.keyboard.press('a');
  await page.reload();
  await expect.poll(counts, { timeout: 2_000 }).toEqual({ completed: 1, blocked: 1 });

  await openTasks(page, 1);
  await page.keyboard.press('a');
  await headless.stop('SIGKILL');
  await page.getByTestId('send-decision').click();
  await expect(page.getByTestId('unsent-decisions')).toContainText('1 decision not sent yet');
  await keepScreen(page, 'tasks-unsent');
  const port = new URL(headless.urls.gateway).port;
  headless = await serveHeadless({ folder: folder.path, args: ['--gateway-port', port] });
  await page.goto(headless.link);
  await expect.poll(counts, { timeout: 30_000 }).toEqual({ completed: 2 });
  await expect(page.getByTestId('unsent-decisions')).toBeHidden();
  await browser.close();
  await headless.stop();
  folder.remove();
});
