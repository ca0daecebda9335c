// What the window says while the platform behind a dashboard, or the dashboard, misbehaves.
import { type Browser, expect, type Page, test } from '@playwright/test';
import { type Fault, type FaultyPeer, refusal, startFaultyPeer } from '../support/faulty-peer.ts';
import { LASTING_KEY, portOf, putAt, servePlatform, startRunAt, typeKey } from './support/alone.ts';
import { gatewayBefore } from './support/gateway-before.ts';
import { openChromium } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepScreen } from './support/screens.ts';
import { type Alone, serveAlone } from './support/serve-one.ts';

const folders = [scratchFolder(), scratchFolder()] as const;
let platform: Alone;
let peer: FaultyPeer;
let dashboard: Alone;
let browser: Browser;
let page: Page;
let runId: string;

const PLACES = [
  '/operate',
  '/operate/failures',
  '/operate/spend',
  '/operate/policies',
  '/operate/policies?environment=staging',
  '/operate/audit',
  '/operate/health',
  '/operate/webhooks',
  '/operate/credentials',
  '/runs',
  '/tasks',
];

/** A page or a part of one that says why it is not shown. */
const TROUBLE = '[data-testid=error-state], [data-testid=brief-trouble]';

/** What the page says for each way in which the platform fails. */
const FAULTS: readonly (readonly [name: string, fault: Fault, title: RegExp])[] = [
  ['refuses the key', refusal(401, 'unauthorized'), /refused the key/],
  ['forbids', refusal(403, 'permission_denied'), /does not allow this/],
  ['is busy', refusal(503, 'service_unavailable', { 'retry-after': '2' }), /not ready/],
  ['breaks', refusal(500, 'internal_error'), /failed/],
  ['sends a page', { kind: 'answer', status: 200, body: '<html>hello</html>' }, /failed/],
  ['sends half', { kind: 'half' }, /failed/],
  ['breaks off', { kind: 'cut' }, /cannot be reached/],
];

test.beforeAll(async () => {
  platform = await servePlatform(folders[0].path);
  peer = await startFaultyPeer(platform.url);
  dashboard = await serveDashboard();
  runId = await startRun('invoice-approval.yaml', 'invoice R-118');
  await startRun('failing-import.yaml', 'three files');
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

function serveDashboard(port?: number): Promise<Alone> {
  return serveAlone(folders[1].path, ['dashboard', 'serve', '--platform-url', peer.url], {
    env: { DASH_DEV_MODE: '1', PLATFORM_API_KEY: LASTING_KEY },
    ...(port === undefined ? {} : { port }),
  });
}

function startRun(spec: string, input: string): Promise<string> {
  return startRunAt(platform, fixtureSpec(spec), input);
}

async function open(place: string): Promise<void> {
  await page.goto(`${dashboard.url}${place}`);
}

for (const [name, fault, title] of FAULTS) {
  test(`every place says what is known while the platform ${name}`, async () => {
    for (const place of PLACES) {
      peer.misbehave(fault);
      await open(place);
      if (place === '/operate/health') {
        await expect(page.getByTestId('platform-health')).toContainText('down');
        continue;
      }
      const state = page.locator(TROUBLE).first();
      await expect(state, place).toContainText(title, { timeout: 30_000 });
      await expect(state.getByTestId('retry-line'), place).toContainText('Since');
      await keepScreen(page, `fault-${name.replaceAll(' ', '-')}${place.replaceAll(/\W+/g, '-')}`);
      await expect(page.locator('main'), place).not.toContainText(
        /No runs yet|No task waits|is well/,
      );
    }
  });
}

/** Seconds until the next try that the first line about a trouble names. */
async function secondsLeft(): Promise<number> {
  const text = await page.getByTestId('retry-line').first().textContent();
  return Number(/Trying again in (\d+) s/.exec(text ?? '')?.[1] ?? Number.NaN);
}

test('a platform that goes away leaves what is known, with its time, and comes back by itself', async () => {
  peer.misbehave(undefined);
  await open('/runs');
  await expect(page.getByTestId('runs-count')).toContainText('2 runs');
  await peer.down();
  const stale = page.getByTestId('stale-read');
  await expect(stale).toContainText('The run platform cannot be reached', { timeout: 30_000 });
  await expect(stale).toContainText(/as it was at \d+:\d+/);
  await expect(page.getByTestId('runs-count')).toContainText('2 runs');
  await expect.poll(secondsLeft).toBeGreaterThan(1);
  const first = await secondsLeft();
  await expect.poll(secondsLeft, { intervals: [200] }).toBeLessThan(first);
  await expect(page.getByTestId('status-platform')).toHaveAttribute('data-state', 'unreachable');
  await checkLooks(page, 'fault-stale-runs');
  await peer.up();
  await expect(stale).toHaveCount(0, { timeout: 40_000 });
  await expect(page.getByTestId('status-platform')).toHaveAttribute('data-state', 'ready');
});

test('the overview of a platform that is down says so once at length, and nothing is a zero', async () => {
  await peer.down();
  await open('/operate');
  await expect(page.getByTestId('error-state')).toHaveCount(1, { timeout: 30_000 });
  await expect(page.getByTestId('brief-trouble').first()).toContainText('cannot be reached');
  await expect(page.locator('main')).not.toContainText(/No task waits|No run is stuck|0 runs/);
  await checkLooks(page, 'fault-down-overview');
  await peer.up();
  await expect(page.getByTestId('tile-blocked')).toContainText('1', { timeout: 40_000 });
  await expect(page.getByTestId('error-state')).toHaveCount(0);
});

test('a platform that does not answer is told of, for how long, before and after the first answer', async () => {
  peer.misbehave({ kind: 'silent' }, /\/v1\/runs\?/);
  await open('/runs');
  await expect(page.getByTestId('slow-first-read')).toContainText('no answer for', {
    timeout: 20_000,
  });
  await checkLooks(page, 'fault-slow-first');
  peer.misbehave(undefined);
  await open('/runs');
  await expect(page.getByTestId('runs-count')).toContainText('2 runs');
  peer.misbehave({ kind: 'slow', ms: 9_000 }, /\/v1\/runs\?/);
  await expect(page.getByTestId('slow-read')).toContainText('as it was at', { timeout: 30_000 });
  await expect(page.getByTestId('runs-count')).toContainText('2 runs');
  peer.misbehave(undefined);
  await expect(page.getByTestId('slow-read')).toHaveCount(0, { timeout: 30_000 });
});

test('a form is kept while its platform fails, and its write says why it was not made', async () => {
  peer.misbehave(undefined);
  await open('/operate/policies?environment=staging');
  await page.getByRole('switch', { name: 'Guardrails are required' }).check();
  await expect(page.getByTestId('policy-apply')).toBeEnabled();
  peer.misbehave(refusal(503, 'service_unavailable', { 'retry-after': '60' }));
  await page.getByTestId('policy-apply').click();
  await page.getByTestId('apply-policy-name').fill('staging');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('apply-policy-dialog').getByTestId('error-state')).toContainText(
    'The policy was not stored',
  );
  await checkLooks(page, 'fault-form-kept');
  peer.misbehave(undefined);
  await expect(page.getByTestId('apply-policy-name')).toHaveValue('staging');
  await page.getByTestId('apply-policy-submit').click();
  await expect(page.getByTestId('policy-of-staging')).toContainText('on');
});

test('an answer to a task outlives the failure of its platform', async () => {
  test.setTimeout(240_000);
  peer.misbehave(undefined);
  await open(`/runs/${runId}`);
  const task = page.getByTestId('task');
  const text = task.getByLabel('Your text');
  await text.fill('Paid by bank.');
  await peer.down();
  await expect(page.getByTestId('stale-read').first()).toContainText('cannot be reached', {
    timeout: 40_000,
  });
  await expect(page.getByTestId('trace-broken')).toContainText('goes on from there');
  await task
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  // The five seconds in which it can be taken back come first.
  const decisions = page.getByRole('region', { name: 'Decisions that were taken' });
  await expect(decisions).toContainText('Kept, and tried again', { timeout: 40_000 });
  await expect(text).toHaveValue('Paid by bank.');
  await checkLooks(page, 'fault-task-kept');
  await peer.up();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 90_000,
  });
});

test('a clock that is wrong is named, and what is left of a deadline is counted by the right one', async () => {
  peer.misbehave(undefined);
  await startRun('invoice-approval.yaml', 'invoice R-119');
  const skewed = await browser.newPage();
  // Two hours ahead: without the services' clock every deadline would be over.
  await skewed.clock.install({ time: Date.now() + 7_205_000 });
  await skewed.clock.resume();
  await skewed.goto(`${dashboard.url}/tasks`);
  await typeKey(skewed, dashboard);
  await expect(skewed.getByTestId('status-clock')).toContainText(/Clock 2 h 0 min ahead/);
  await expect(skewed.getByTestId('task').locator('time').first()).toContainText(/1:5\d:\d\d left/);
  await checkLooks(skewed, 'fault-clock');
  await skewed.close();
  await open('/runs');
  await expect(page.getByTestId('status-platform')).toBeVisible();
  await expect(page.getByTestId('status-clock')).toHaveCount(0);
});

test('two operators at one setting: neither loses what was filled in, and both see whose counts', async () => {
  peer.misbehave(undefined);
  await open('/operate/administration');
  await page.getByTestId('grant-viewer').selectOption('some');
  await putAt(dashboard, '/settings/access/environments', {
    environments: { operator: ['dev'] },
    version: 0,
  });
  await page.getByTestId('grants-save').click();
  const overtaken = page.getByTestId('overtaken');
  await expect(overtaken).toContainText('Somebody else saved this meanwhile');
  await expect(page.getByTestId('grant-viewer')).toHaveValue('some');
  await checkLooks(page, 'fault-overtaken');
  await overtaken.getByTestId('keep-mine').click();
  await page.getByTestId('grants-save').click();
  await expect(page.getByTestId('grants-save')).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId('grant-viewer')).toHaveValue('some');
  await page.getByTestId('grant-operator').selectOption('some');
  await putAt(dashboard, '/settings/access/environments', { environments: {}, version: 2 });
  await page.getByTestId('grants-save').click();
  await overtaken.getByTestId('take-theirs').click();
  await expect(page.getByTestId('grant-viewer')).toHaveValue('all');
});

test('a platform that is asked too often is left alone for as long as it says', async () => {
  peer.misbehave(refusal(429, 'rate_limited', { 'retry-after': '31' }));
  await open('/runs');
  const state = page.getByTestId('error-state').first();
  await expect(state).toContainText('The platform is asked too often', { timeout: 30_000 });
  await expect(state).toContainText('Wait the time that is named');
  const left = await secondsLeft();
  expect(left).toBeGreaterThan(20);
  expect(left).toBeLessThanOrEqual(31);
  const told = Date.now();
  const asked: number[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/runs') asked.push(Date.now());
  });
  await checkLooks(page, 'fault-asked-too-often');
  peer.misbehave(undefined);
  await expect.poll(secondsLeft, { intervals: [200], timeout: 40_000 }).toBeLessThanOrEqual(2);
  await expect(page.getByTestId('runs-count')).toContainText('runs', { timeout: 40_000 });
  expect(Math.min(...asked) - told).toBeGreaterThan((left - 3) * 1_000);
});

test('a platform that leads elsewhere is not followed, and its address is named as the cause', async () => {
  const elsewhere = await startFaultyPeer(platform.url);
  peer.misbehave({
    kind: 'answer',
    status: 302,
    body: '',
    headers: { location: `${elsewhere.url}/v1/runs` },
  });
  for (const place of ['/runs', '/tasks', '/operate/audit', `/runs/${runId}`]) {
    await open(place);
    const state = page.locator(TROUBLE).first();
    await expect(state, place).toContainText('The run platform failed');
    await expect(state, place).toContainText('leads elsewhere (302)');
    await expect(state.getByTestId('retry-line'), place).toContainText('Since');
  }
  await checkLooks(page, 'fault-leads-elsewhere');
  expect(elsewhere.seen()).toBe(0);
  await elsewhere.close();
  peer.misbehave(undefined);
});

test('a platform that restarts is missed on the page of a run, which then goes on without a reload', async () => {
  test.setTimeout(240_000);
  peer.misbehave(undefined);
  const waiting = await startRun('invoice-approval.yaml', 'invoice R-120');
  await open(`/runs/${waiting}`);
  await expect(page.getByTestId('task')).toContainText('Is this invoice correct');
  const trace = page.getByTestId('trace');
  const before = (await trace.getAttribute('data-events')) ?? '';
  const port = portOf(platform);
  await platform.stop();
  await expect(page.getByTestId('stale-read').first()).toContainText('cannot be reached', {
    timeout: 40_000,
  });
  await expect(page.getByTestId('trace-broken')).toContainText('goes on from there');
  await checkLooks(page, 'fault-platform-restarts');
  platform = await servePlatform(folders[0].path, port);
  await expect(page.getByTestId('stale-read')).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByTestId('trace-broken')).toHaveCount(0, { timeout: 60_000 });
  await expect(trace).toHaveAttribute('data-events', before);
  await page
    .getByTestId('task')
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 60_000,
  });
});

const scrollRuns = (top: number): Promise<void> =>
  page.locator('.sw-table-scroll').evaluate((list, to) => list.scrollTo(0, to), top);

test('what was read of a list stays when its next page fails, and that page is asked for again in place', async () => {
  test.setTimeout(240_000);
  peer.misbehave(undefined);
  for (let at = 0; at < 120; at += 1) await startRun('failing-import.yaml', `file ${at}`);
  await open('/runs');
  await expect(page.getByTestId('runs-count')).toContainText(/12\d runs/, { timeout: 60_000 });
  peer.misbehave(refusal(500, 'internal_error'), /\/v1\/runs\?.*offset=100/);
  await scrollRuns(1e6);
  const trouble = page.getByTestId('runs-rest');
  await expect(trouble).toContainText('after run 100', { timeout: 20_000 });
  await expect(trouble.getByTestId('retry-line')).toContainText('Since');
  await checkLooks(page, 'fault-second-page');
  peer.misbehave(undefined);
  await trouble.getByRole('button', { name: 'Try now' }).click();
  await expect(trouble).toHaveCount(0);
  await expect(async () => {
    await scrollRuns(1e6);
    await expect(page.locator('tr[data-place]').last()).toContainText(/R-118|three files/, {
      timeout: 1_000,
    });
  }).toPass({ timeout: 20_000 });
});

test('a dashboard that is silent behind the gateway is told of, and the window goes on with it', async () => {
  const between = await startFaultyPeer(dashboard.url);
  const gateway = await gatewayBefore({
    dashboard: { baseUrl: between.url, authorization: `Bearer ${dashboard.key}` },
    platform: { baseUrl: platform.url, authorization: `Bearer ${LASTING_KEY}` },
  });
  test.setTimeout(240_000);
  const far = await browser.newPage();
  await far.goto(gateway.signInLink());
  await far.goto(`${gateway.url}/runs`);
  await expect(far.getByTestId('runs-count')).toContainText('runs');
  between.misbehave({ kind: 'silent' });
  await expect(far.getByTestId('slow-read')).toContainText('There has been no answer for', {
    timeout: 40_000,
  });
  await expect(far.getByTestId('runs-count')).toContainText('runs');
  await checkLooks(far, 'fault-dashboard-silent');
  between.misbehave(undefined);
  await far.getByTestId('slow-read').getByRole('button', { name: 'Ask again' }).click();
  await expect(far.getByTestId('slow-read')).toHaveCount(0);
  between.misbehave({ kind: 'silent' });
  await far.goto(`${gateway.url}/operate`);
  await expect(far.getByTestId('slow-first-read').first()).toContainText('no answer for', {
    timeout: 30_000,
  });
  await checkLooks(far, 'fault-dashboard-silent-first');
  between.misbehave(undefined);
  // What was asked for meanwhile is given up after a while, and comes by itself.
  await expect(far.getByTestId('slow-first-read')).toHaveCount(0, { timeout: 90_000 });
  await expect(far.getByTestId('tile-blocked')).toBeVisible({ timeout: 40_000 });
  await far.close();
  await gateway.stop();
  await between.close();
});

test('a dashboard that restarts is missed at once, and the page goes on with its form', async () => {
  await open('/operate/policies?environment=prod');
  await page.getByRole('switch', { name: 'A person must decide' }).check();
  const port = portOf(dashboard);
  await dashboard.stop();
  await page.getByRole('switch', { name: 'Warnings stop a spec' }).check();
  const banner = page.getByTestId('gateway-down');
  await expect(banner).toContainText('does not answer');
  await expect(banner.getByTestId('retry-line')).toContainText('Since');
  await checkLooks(page, 'fault-dashboard-down');
  dashboard = await serveDashboard(port);
  await expect(banner).toHaveCount(0, { timeout: 30_000 });
  // Each start has a key of its own: who has the new one goes on where they were.
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.getByLabel('Key of the service', { exact: true }).fill(dashboard.key);
  await ended.getByRole('button', { name: 'Open' }).click();
  await expect(ended).toHaveCount(0);
  await expect(page.getByRole('switch', { name: 'A person must decide' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Warnings stop a spec' })).toBeChecked();
  await expect(page.getByTestId('policy-apply')).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByTestId('policy-affected')).toBeVisible();
});
