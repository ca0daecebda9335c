import { expect, test } from '@playwright/test';
import { openDesktop } from './support/desktop.ts';
import { openChromium, serveHeadless } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

test.describe('the window', () => {
  const folder = scratchFolder();
  test.afterAll(() => folder.remove());

  test('opens, its services become ready, its page is locked in', async () => {
    const desktop = await openDesktop({ folder: folder.path });
    const state = await desktop.ready();
    expect(state.problem).toBeNull();
    await expect(desktop.page.getByRole('heading').first()).toBeVisible();
    await keepScreen(desktop.page, 'start-window');

    const inside = await desktop.page.evaluate(() => ({
      node: typeof Reflect.get(window, 'process') + typeof Reflect.get(window, 'require'),
      opened: window.open('https://example.com') === null,
    }));
    expect(inside).toEqual({ node: 'undefinedundefined', opened: true });
    await desktop.page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    expect(desktop.page.url()).toMatch(/^app:\/\/specwright\//);
    const reached = await desktop.page.evaluate(async () => {
      try {
        await fetch('http://127.0.0.1:9/');
        return 'answered';
      } catch {
        return 'refused';
      }
    });
    expect(reached).toBe('refused');
    await desktop.close();
  });

  test('a killed services process is started again and the window says so', async () => {
    const desktop = await openDesktop({ folder: folder.path });
    await desktop.ready();
    const pid = await servicesPid(desktop.app.process().pid);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await desktop.services()).restarts).toBe(1);
    await desktop.ready();
    expect(await servicesPid(desktop.app.process().pid)).not.toBe(pid);
    await desktop.close();
  });

  test('no services process outlives a killed window', async () => {
    const desktop = await openDesktop({ folder: folder.path });
    await desktop.ready();
    const main = desktop.app.process();
    const pid = await servicesPid(main.pid);
    main.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });
});

test.describe('the headless form', () => {
  const folder = scratchFolder();
  test.afterAll(() => folder.remove());

  test('one JSON line, a link that works once, the same workbench, exit 0 on SIGTERM', async () => {
    const headless = await serveHeadless({ folder: folder.path });
    expect(headless.output().trim().split('\n')).toHaveLength(1);
    const { platform, dashboard, studio } = headless.urls;
    for (const url of [`${platform}/v1/runs`, `${dashboard}/api/me`, `${studio}/api/me`]) {
      expect([url, (await fetch(url)).status]).toEqual([url, 401]);
      expect([url, (await fetch(url, { headers: headless.headers })).status]).toEqual([url, 200]);
    }
    const browser = await openChromium();
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(headless.urls.gateway);
    await expect(page.getByText('one-time link')).toBeVisible();
    await page.goto(headless.link);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await keepScreen(page, 'start-browser');
    expect(headless.urls.key_file).toContain('instance.key');
    const stranger = await browser.newContext();
    const again = await stranger.newPage();
    expect((await again.goto(headless.link))?.status()).toBe(401);
    expect(errors).toEqual([]);
    await browser.close();
    expect(await headless.stop()).toBe(0);
  });

  test('the dashboard by itself serves the workbench, at a deep address too', async () => {
    const headless = await serveHeadless({ folder: folder.path });
    const browser = await openChromium();
    const page = await browser.newPage();
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    for (const address of ['/', '/runs/some-run']) {
      await page.goto(`${headless.urls.dashboard}${address}`);
      await expect(page.getByRole('heading').first()).toBeVisible();
    }
    expect(asked).toBeLessThan(300);
    await browser.close();
    expect(await headless.stop()).toBe(0);
  });

  test('a second start on the same data is refused with one line', async () => {
    const headless = await serveHeadless({ folder: folder.path });
    const second = await serveHeadless({ folder: folder.path }).catch((error: Error) => error);
    expect(String(second)).toMatch(/serve ended with 3: specwright: Another Specwright .*\n$/);
    expect(await headless.stop()).toBe(0);
  });
});

async function servicesPid(mainPid: number | undefined): Promise<number> {
  const { readdirSync, readFileSync } = await import('node:fs');
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (command.includes('server.mjs\0serve') && parent === String(mainPid)) return Number(pid);
    } catch {
      // The process ended while it was looked at.
    }
  }
  throw new Error('no services process found');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
