// What operators see of a store that was put back or cut down, of acts that come too late, and of
// platforms that know no sessions.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Browser, type Page, expect as soon, test } from '@playwright/test';
import { type FaultyPeer, refusal, startFaultyPeer } from '../support/faulty-peer.ts';
import { LASTING_KEY, servePlatform, startRunAt, typeKey } from './support/alone.ts';
import { openChromium } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { type Alone, serveAlone } from './support/serve-one.ts';
import { hostWord } from './support/team.ts';

/** Pages of several services at once, on machines of two processors. */
const expect = soon.configure({ timeout: 40_000 });

test.describe.configure({ timeout: 240_000 });

const SESSION = 'desk-42';
const folders = [scratchFolder(), scratchFolder()] as const;
let platform: Alone;
let peer: FaultyPeer;
let dashboard: Alone;
let browser: Browser;
let page: Page;

test.beforeAll(async () => {
  platform = await servePlatform(folders[0].path);
  peer = await startFaultyPeer(platform.url);
  dashboard = await serveAlone(
    folders[1].path,
    ['dashboard', 'serve', '--platform-url', peer.url],
    { env: { DASH_DEV_MODE: '1', PLATFORM_API_KEY: LASTING_KEY } },
  );
  browser = await openChromium();
  page = await browser.newPage();
  await page.goto(`${dashboard.url}/runs`);
  await typeKey(page, dashboard);
  await expect(page.getByTestId('place-runs')).toHaveAttribute('aria-current', 'page');
});

test.afterAll(async () => {
  await browser.close();
  await dashboard.stop();
  await peer.close();
  await platform.stop();
  for (const folder of folders) folder.remove();
});

const open = (place: string) => page.goto(`${dashboard.url}${place}`);
const atHost = (...words: string[]) => hostWord(folders[1].path, 'static', ...words);

function ask(place: string, body?: object): Promise<Response> {
  return fetch(`${dashboard.url}/api${place}`, {
    headers: { authorization: `Bearer ${dashboard.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** A run that waits for a person, and its task. */
async function startAsking(): Promise<{ readonly run: string; readonly task: string }> {
  const more = { session_id: SESSION };
  const spec = fixtureSpec('invoice-approval.yaml');
  const run = await startRunAt(platform, spec, 'invoice R-118', more);
  let task: string | undefined;
  await expect
    .poll(async () => {
      const view: { continuation_id: string | null } = await (await ask(`/runs/${run}`)).json();
      task = view.continuation_id ?? undefined;
      return task;
    })
    .toBeDefined();
  return { run, task: task ?? '' };
}

async function approve(task: string): Promise<void> {
  const answer = await ask(`/human-tasks/${task}/resume`, { decision: 'approved' });
  expect(answer.ok, `${answer.status}`).toBe(true);
}

test('a run that ended meanwhile is not stopped and not continued, and the page says so (OD-115, OD-116)', async () => {
  const stopped = await startAsking();
  await open(`/runs/${stopped.run}`);
  await page.getByTestId('cancel-run').click();
  const question = page.getByRole('dialog', { name: 'Stop invoice-approval?' });
  await expect(question).toBeVisible();
  await approve(stopped.task);
  await question.getByRole('button', { name: 'Stop run' }).click();
  await expect(page.getByText('The run had already ended: completed')).toBeVisible();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByTestId('cancel-run')).toHaveCount(0);

  const continued = await startAsking();
  await open(`/runs/${continued.run}`);
  const go = page.getByTestId('continue-run');
  await expect(go).toBeEnabled();
  // The page hears nothing of the run until it has tried.
  const tried = Promise.withResolvers<void>();
  await page.route(/\/api\/runs\/[^/]+(\/(trace|record).*)?$/, async (route) => {
    if (route.request().method() === 'GET') await tried.promise;
    await route.fallback();
  });
  await approve(continued.task);
  await go.click();
  await expect(page.getByText('The run was not taken up again')).toBeVisible();
  await checkLooks(page, 'last-rows-too-late');
  tried.resolve();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed');
  await expect(go).toHaveCount(0);
  await page.unrouteAll();
});

test('a session tells its waits for people as lines of the conversation (OD-040)', async () => {
  const { run } = await startAsking();
  await open(`/sessions/${SESSION}`);
  const turn = page.getByTestId(`turn-${run}`);
  await turn.scrollIntoViewIfNeeded();
  await expect(turn.getByTestId('pause')).toContainText('Is this invoice correct and in budget?');
  await expect(turn.getByTestId('pause')).toContainText('Has waited for');
  const answers = page.getByTestId('pause-answer');
  await expect(answers).toHaveCount(2);
  await expect(answers.first()).toContainText(/approved.*after \d/s);
  await checkLooks(page, 'last-rows-session');
  await turn.getByTestId('answer-pause').click();
  await expect(page.getByTestId('task')).toContainText('Is this invoice correct and in budget?');
});

test('no session, an unknown one, and a platform without sessions say so (OD-119)', async () => {
  const lonely = await startRunAt(platform, fixtureSpec('support-triage.yaml'), 'hello');
  await open(`/runs/${lonely}?tab=session`);
  await expect(page.getByText('This run was started on its own.')).toBeVisible();
  await open('/sessions/nobody-knows');
  await expect(page.getByText('No runs in this session')).toBeVisible();

  const { run } = await startAsking();
  peer.misbehave(refusal(400, 'unknown_query_parameters'), /\/v1\/runs\?.*session_id=/);
  await open(`/sessions/${SESSION}`);
  await expect(page.getByText('This platform does not list the runs of a session')).toBeVisible();
  await checkLooks(page, 'last-rows-no-sessions');
  await open(`/runs/${run}?tab=session`);
  await expect(page.getByTestId('run-session')).toContainText(
    'does not list the runs of a session',
  );
  // Any other refusal is told as one.
  peer.misbehave(refusal(422, 'invalid_request'), /\/v1\/runs\?.*session_id=/);
  await open(`/sessions/${SESSION}`);
  await expect(page.getByTestId('error-state')).toContainText('the platform says invalid_request');
  peer.misbehave(undefined);
});

test('what was taken out of the store stands in the log of people, in words (OD-008)', async () => {
  const file = new DatabaseSync(path.join(folders[1].path, 'dashboard.db'));
  file.prepare("UPDATE audit_log SET created_at = '2020-02-02T00:00:00.000000+00:00'").run();
  file.close();
  const exports = path.join(folders[1].path, 'exports');
  const words = ['--older-than-days', '30', '--export-dir', exports, '--by', 'ada'];
  atHost('dashboard', 'prune', ...words);
  await open('/operate/audit?tab=operators');
  const row = page
    .getByRole('table', { name: 'What people did' })
    .getByRole('row')
    .filter({ hasText: 'Prune the store' });
  await expect(row).toContainText('ada');
  await expect(row).toContainText(/\d acts from before .*, exported first/);
  await row.click();
  await expect(page.getByTestId('audit-detail')).toContainText('sha256');
  await checkLooks(page, 'last-rows-prune');
});

test('a dashboard that is locked down says so on every page, and goes on when it is confirmed (OD-007)', async () => {
  await open('/operate');
  await expect(page.getByTestId('tile-failed')).toBeVisible();
  atHost('dashboard', 'recover', '--reason', 'the disk was lost');
  const locked = page.getByTestId('locked-down');
  await expect(locked).toBeVisible();
  await expect(locked).toContainText('recover --reconcile --access-map');
  await checkLooks(page, 'last-rows-locked');
  for (const place of ['/operate/health', '/runs', '/tasks']) {
    await open(place);
    await expect(locked, place).toBeVisible();
  }
  // Who has no key yet is told the same.
  const other = await browser.newPage();
  await other.goto(`${dashboard.url}/operate`);
  await expect(other.getByTestId('locked-down')).toBeVisible();
  const map = path.join(folders[1].path, 'map.json');
  writeFileSync(map, '{"admin":["settings.write","run.control","audit.read"]}');
  atHost('dashboard', 'recover', '--reconcile', '--access-map', map, '--keep-connections');
  await expect(locked).toHaveCount(0);
  await expect(page.getByTestId('tasks-page')).toBeVisible();
  await expect(other.getByTestId('key-form')).toBeVisible();
});
