import { readFileSync } from 'node:fs';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { violationsOf } from './support/accessible.ts';
import { type Headless, openChromium, serveHeadless } from './support/headless.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { windowPages } from './support/window-pages.ts';

test.describe.configure({ timeout: 300_000 });

const SOURCE = readFileSync(
  new URL('../fixtures/n8n/agent-as-tool-and-tool-kinds.json', import.meta.url),
  'utf8',
);
const SPEC = 'version: v1\nagent: { name: desk, system_prompt: Answer. }\n';
const P = '/api/projects/default';
const LOOKS = [
  ['light', 1440, 900],
  ['light', 1024, 700],
  ['dark', 1024, 700],
  ['dark', 1440, 900],
] as const;

const folder = scratchFolder();
let headless: Headless;
let browser: Browser;
test.beforeAll(async () => {
  headless = await serveHeadless({ folder: folder.path });
  browser = await openChromium();
});
test.afterAll(async () => {
  await browser.close();
  await headless.stop();
  folder.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely in tests
async function ask(url: string, body: unknown): Promise<any> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** An import with gaps, an artifact, a failed run and one that waits for a person. */
async function fill() {
  const { studio, platform } = headless.urls;
  const { draft, analysis_ids } = await ask(`${studio}${P}/import/n8n`, {
    ...{ raw: SOURCE, alias: 'default', source_name: 'tools' },
  });
  const made = await ask(`${studio}${P}/drafts`, { name: 'desk', kind: 'spec', text: SPEC });
  const base = { path: made.ref, revision: made.revision };
  const artifact = await ask(`${studio}${P}/artifacts`, { base, alias: 'default' });
  const run = async (name: string) =>
    await ask(`${platform}/v1/runs`, { spec: fixtureSpec(name), input: 'one', async_mode: true });
  const failed = await run('failing-import.yaml');
  const asking = await run('invoice-approval.yaml');
  return {
    imported: draft.path as string,
    analysis: analysis_ids[0] as string,
    made: made.ref as string,
    artifact: artifact.id as string,
    failed: failed.run_id as string,
    asking: asking.run_id as string,
  };
}

/** An address of every view; one without would not compile. */
function addresses(at: Awaited<ReturnType<typeof fill>>): Record<keyof typeof paths, string> {
  const { imported, analysis, made, artifact, failed, asking } = at;
  const project = 'default';
  return {
    welcome: paths.welcome(),
    project: paths.project(project),
    draft: paths.draft(project, made),
    importBatch: paths.importBatch(project),
    repair: paths.repair(project, 'no-such-cause'),
    estate: paths.estate(project),
    importResult: paths.importResult(project, analysis, imported),
    gaps: paths.gaps(project, analysis, { ref: imported }),
    reviewGaps: paths.reviewGaps(project),
    ledger: paths.ledger(project, analysis, { ref: imported }),
    environments: paths.environments(project),
    artifacts: paths.artifacts(project),
    compose: paths.compose(project, { base: made }),
    compareVersions: paths.compareVersions(project),
    composition: paths.composition(project, artifact),
    artifact: paths.artifact(project, artifact),
    exposure: paths.exposure(project),
    members: paths.members(project),
    activity: paths.activity(project),
    artifactFreshness: paths.artifactFreshness(project, artifact),
    freshness: paths.freshness(project),
    find: paths.find(project),
    runs: paths.runs(),
    run: paths.run(failed),
    fix: paths.fix([failed]),
    session: paths.session('none-of-this-id'),
    compare: paths.compare(failed, asking),
    overview: paths.overview(),
    failures: paths.failures(),
    spend: paths.spend(),
    launch: paths.launch(),
    administration: paths.administration(),
    health: paths.health(),
    audit: paths.audit(),
    policies: paths.policies('staging'),
    secrets: paths.secrets(),
    tasks: paths.tasks(),
    task: paths.task('none-of-this-id'),
    settings: paths.settings(),
    logs: paths.logs(),
    diagnostics: paths.diagnostics(),
  };
}

test('every page that the router declares is looked at, here or before somebody signs in', () => {
  const ids = { imported: 'a.yaml', analysis: 'a', made: 'm.yaml', artifact: 'b' };
  const all = Object.values(addresses({ ...ids, failed: 'f', asking: 'g' }));
  const isShown = (pattern: string): boolean => {
    const shape = pattern.replaceAll(/\$\w+/g, '[^/]+').replace(/\$$/, '.+');
    return all.some((address) => new RegExp(`^${shape}(?:\\?|$)`).test(address));
  };
  expect(windowPages().filter((pattern) => !isShown(pattern))).toEqual(['/sign-in']);
});

async function violationsAt(page: Page, name: string, path: string): Promise<string[]> {
  await page.evaluate((to) => {
    location.hash = to;
  }, path);
  await expect(
    page.locator('main h1, main .monaco-editor, main [role="alert"]').first(),
  ).toBeVisible();
  await expect(page.getByTestId('skeleton')).toHaveCount(0);
  const found: string[] = [];
  for (const [colorScheme, width, height] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(150);
    found.push(...(await violationsOf(page, `${name} ${colorScheme} ${width}:`)));
  }
  return found;
}

test('no page of the workbench has a violation of WCAG 2.2 AA, light and dark, at both sizes', async () => {
  const pages = addresses(await fill());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(headless.link);
  await expect(page.getByRole('main')).toBeVisible();
  const found: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    found.push(...(await violationsAt(page, name, path)));
  }
  await context.close();
  expect(found).toEqual([]);
});
