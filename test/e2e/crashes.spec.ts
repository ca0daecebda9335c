import { expect, test } from '@playwright/test';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { draftText, makeDraft, openDraft, typeAtEnd } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

test.describe.configure({ timeout: 240_000 });

const folder = scratchFolder();
test.afterAll(() => folder.remove());

const DRAFT = 'version: v1\nagent:\n  name: desk\n  system_prompt: Answer.\n';

async function kill(desktop: Desktop): Promise<void> {
  const gone = new Promise((resolve) => desktop.app.process().once('exit', resolve));
  desktop.app.process().kill('SIGKILL');
  await gone;
}

/** What the only window shows, asked of the shell: a crashed page is gone for the test's own view. */
function shown(desktop: Desktop, script: string): Promise<unknown> {
  return desktop.app.evaluate(({ BrowserWindow }, code) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    // A page whose process has ended never answers.
    setTimeout(() => resolve(null), 2_000);
    const [window] = BrowserWindow.getAllWindows();
    window?.webContents.executeJavaScript(code).then(resolve, () => resolve(null));
    return promise;
  }, script);
}

async function crash(desktop: Desktop): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
}

test('text of the last second outlives a kill; a window that ends again and again offers safe mode', async () => {
  const first = await openDesktop({ folder: folder.path });
  await first.ready();
  await makeDraft(first, 'kept', DRAFT);
  await openDraft(first.page, 'kept');
  await typeAtEnd(first.page, '# typed a second before the end');
  await first.page.waitForTimeout(1_000);
  await kill(first);

  const second = await openDesktop({ folder: folder.path });
  const { page } = second;
  await second.ready();
  await expect(page.getByTestId('incident')).toContainText('ended unexpectedly');
  await expect.poll(() => draftText(page)).toContain('# typed a second before the end');
  await keepScreen(page, 'crashes-1-back');

  // The window's own process ends: same place, same text, said once.
  const told = 'document.querySelector("[data-testid=incident]")?.textContent ?? ""';
  await crash(second);
  await expect.poll(() => shown(second, told), { timeout: 60_000 }).toContain('loaded again');
  await expect
    .poll(() => shown(second, 'document.querySelector(".view-lines")?.textContent ?? ""'))
    .toContain('before');
  await crash(second);
  await expect.poll(() => shown(second, told), { timeout: 60_000 }).toContain('loaded again');
  await crash(second);
  const words = 'document.querySelector("[data-testid=stopped]")?.textContent ?? ""';
  await expect.poll(() => shown(second, words), { timeout: 60_000 }).toContain('safe mode');
  await shown(second, 'document.getElementById("again").click()');
  await expect.poll(() => shown(second, 'location.hash'), { timeout: 60_000 }).toContain('kept');
  await second.close();

  const safe = await openDesktop({ folder: folder.path, args: ['--safe'] });
  await safe.ready();
  await expect(safe.page.getByTestId('safe-mode')).toBeVisible();
  await expect(safe.page.getByTestId('welcome')).toBeVisible();
  await keepScreen(safe.page, 'crashes-2-safe');
  await safe.close();

  // What safe mode left alone is there again.
  const usual = await openDesktop({ folder: folder.path });
  await usual.ready();
  await expect(usual.page.getByTestId('editor-page')).toHaveAttribute('data-ref', /kept/);
  await expect(usual.page.getByTestId('incident')).toHaveCount(0);
  await usual.close();
});
