import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { bareTexts, chooseLanguage, hearServices, settledTexts } from './support/texts.ts';

test.describe.configure({ timeout: 300_000 });

const SOURCE = readFileSync(
  new URL('../fixtures/n8n/agent-as-tool-and-tool-kinds.json', import.meta.url),
  'utf8',
);
const SPEC = 'version: v1\nagent: { name: frontdesk, system_prompt: Answer. }\n';
const P = '/api/projects/default';

const folder = scratchFolder();
let headless: Headless;
let browser: Browser;
let context: BrowserContext;
let origin: string;
test.beforeAll(async () => {
  headless = await serveHeadless({ folder: folder.path });
  browser = await openChromium();
  // A language that nobody has translated: the window begins in English.
  context = await browser.newContext({ locale: 'fr-FR' });
  const page = await context.newPage();
  await page.goto(headless.link);
  await expect(page.getByTestId('welcome')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  origin = new URL(page.url()).origin;
  await page.close();
});
test.afterAll(async () => {
  await browser.close();
  await headless.stop();
  folder.remove();
});

async function ask(url: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** An import with gaps, an artifact, a failed run and one that waits for a person; where each is shown. */
async function storyPages(): Promise<readonly (readonly [name: string, path: string])[]> {
  const { studio, platform } = headless.urls;
  const imported = await ask(`${studio}${P}/import/n8n`, {
    ...{ raw: SOURCE, alias: 'default', source_name: 'tools' },
  });
  const { path: ref } = imported['draft'] as { path: string };
  const [analysis = ''] = imported['analysis_ids'] as string[];
  const made = await ask(`${studio}${P}/drafts`, { name: 'frontdesk', kind: 'spec', text: SPEC });
  const base = { path: made['ref'], revision: made['revision'] };
  const artifact = await ask(`${studio}${P}/artifacts`, { base, alias: 'default' });
  const run = async (name: string) => {
    const body = { spec: fixtureSpec(name), input: 'one', async_mode: true };
    return String((await ask(`${platform}/v1/runs`, body))['run_id']);
  };
  const failed = await run('failing-import.yaml');
  const asking = await run('invoice-approval.yaml');
  const project = 'default';
  return [
    ['welcome', paths.welcome()],
    ['project', paths.project(project)],
    ['import result', paths.importResult(project, analysis, ref)],
    ['gaps', paths.gaps(project, analysis, { ref })],
    ['ledger', paths.ledger(project, analysis, { ref })],
    ['editor', paths.draft(project, String(made['ref']))],
    ['artifacts', paths.artifacts(project)],
    ['artifact', paths.artifact(project, String(artifact['id']))],
    ['runs', paths.runs()],
    ['run that failed', paths.run(failed)],
    ['run that waits', paths.run(asking)],
    ['tasks', paths.tasks()],
    ['overview', paths.overview()],
    ['launch', paths.launch()],
    ['settings', paths.settings()],
  ];
}

/** Another page of the window that is open: no document is read anew. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await expect(page.getByRole('main')).toBeVisible();
  await settledTexts(page);
}

test('the window speaks the language that is chosen, and keeps it', async () => {
  const page = await context.newPage();
  await page.goto(`${origin}${paths.settings()}`);
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await page.getByTestId('language').selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { name: 'Einstellungen', exact: true })).toBeVisible();
  await page.goto(`${origin}${paths.runs()}`);
  await expect(page.getByRole('heading', { name: 'Läufe', exact: true })).toBeVisible();
  await page.getByTestId('place-settings').click();
  await page.getByTestId('language').selectOption('zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  await expect(page.getByRole('heading', { name: '设置', exact: true })).toBeVisible();
  await page.close();
});

test('no text of the window bypasses the catalogue', async () => {
  const pages = await storyPages();
  const page = await context.newPage();
  await chooseLanguage(page, 'en-XA');
  const heard = hearServices(page);
  await page.goto(origin);
  await expect(page.getByRole('main')).toBeVisible();
  const found: string[] = [];
  const look = async (name: string) => {
    found.push(...(await bareTexts(page, heard)).map((text) => `${name}: ${text}`));
  };
  for (const [name, path] of pages) {
    await go(page, path);
    await look(name);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('palette');
  expect([...new Set(found)]).toEqual([]);
});
