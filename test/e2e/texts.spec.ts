import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { writeTeamUsers } from '../support/team-server.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { serveAlone } from './support/serve-one.ts';
import { hostWord, person } from './support/team.ts';
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
async function storyPages(): Promise<readonly (readonly [name: string, place: string])[]> {
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
    ['environments', paths.environments(project)],
    ['exposure', paths.exposure(project)],
    ['members', paths.members(project)],
    ['activity', paths.activity(project)],
    ['freshness', paths.freshness(project)],
    ['compose', paths.compose(project)],
    ['failures', paths.failures()],
    ['spend', paths.spend()],
    ['policies', paths.policies('staging')],
    ['audit', paths.audit()],
    ['health', paths.health()],
    ['webhooks', paths.webhooks()],
    ['credentials', paths.secrets()],
    ['administration', paths.administration()],
    ['settings', paths.settings()],
  ];
}

/** Collects what a page shows that went past the catalogue, under the name of where it was looked. */
function searching(page: Page) {
  const heard = hearServices(page);
  const found = new Set<string>();
  return {
    found,
    async look(name: string): Promise<void> {
      await settledTexts(page);
      for (const text of await bareTexts(page, heard)) found.add(`${name}: ${text}`);
    },
  };
}

/** Another page of the window that is open: no document is read anew. */
async function go(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, place);
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
  const { found, look } = searching(page);
  await page.goto(origin);
  await expect(page.getByRole('main')).toBeVisible();
  for (const [name, place] of pages) {
    await go(page, place);
    await look(name);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('palette');
  expect([...found]).toEqual([]);
});

test('nor where people sign in and share: at a team with passwords, at a dashboard alone', async () => {
  const [own, alone] = [scratchFolder(), scratchFolder()];
  const team = await serveHeadless({
    folder: own.path,
    env: {
      STUDIO_AUTH_MODE: 'static',
      STUDIO_USERS_FILE: await writeTeamUsers(path.join(own.path, 'users.json'), ['ada']),
    },
  });
  const ada = await person(browser);
  await chooseLanguage(ada, 'en-XA');
  const { found, look } = searching(ada);
  await ada.goto(team.urls.gateway);
  const form = ada.getByTestId('password-form');
  const signIn = async (password: string): Promise<void> => {
    await form.locator('[autocomplete="username"]').fill('ada');
    await form.locator('[autocomplete="current-password"]').fill(password);
    await form.locator('[autocomplete="current-password"]').press('Enter');
  };
  await expect(form).toBeVisible();
  await look('sign-in');
  await signIn('wrong');
  await expect(ada.getByTestId('sign-in-fault')).toBeVisible();
  await look('wrong password');
  const token = hostWord(own.path, 'static', 'studio', 'bootstrap-token');
  await ada.getByTestId('claim-toggle').click();
  await look('first person');
  await form.locator('[name="bootstrap_claim"]').fill(token);
  await signIn('right');
  await expect(ada.getByTestId('welcome')).toBeVisible();
  for (const place of ['members', 'exposure', 'activity', 'environments'] as const) {
    await go(ada, paths[place]('default'));
    await look(`${place} of a team`);
  }
  await ada.getByTestId('account').click();
  await look('account');
  await go(ada, paths.runs());
  await look('what is shut');

  const dashboard = await serveAlone(
    alone.path,
    ['dashboard', 'serve', '--platform-url', team.urls.platform],
    { env: { DASH_DEV_MODE: '1' } },
  );
  await ada.goto(`${dashboard.url}/operate`);
  await expect(ada.getByTestId('key-form')).toBeVisible();
  await look('key of a dashboard');
  await ada.context().close();
  await dashboard.stop();
  await team.stop();
  own.remove();
  alone.remove();
  expect([...found]).toEqual([]);
});
