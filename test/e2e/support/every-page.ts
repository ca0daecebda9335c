import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { paths } from '../../../renderer/app/paths.ts';
import type { Headless } from './headless.ts';
import { fixtureSpec } from './runs.ts';

const SOURCE = readFileSync(
  new URL('../../fixtures/n8n/agent-as-tool-and-tool-kinds.json', import.meta.url),
  'utf8',
);
const SPEC = 'version: v1\nagent: { name: desk, system_prompt: Answer. }\n';
const P = '/api/projects/default';

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely in tests
async function ask(headless: Headless, url: string, body: unknown): Promise<any> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headless.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** An import with gaps, an artifact, a failed run and one that waits for a person. */
export async function fillWorkbench(headless: Headless) {
  const { studio, platform } = headless.urls;
  const { draft, analysis_ids } = await ask(headless, `${studio}${P}/import/n8n`, {
    ...{ raw: SOURCE, alias: 'default', source_name: 'tools' },
  });
  const made = await ask(headless, `${studio}${P}/drafts`, {
    name: 'desk',
    kind: 'spec',
    text: SPEC,
  });
  const base = { path: made.ref, revision: made.revision };
  const artifact = await ask(headless, `${studio}${P}/artifacts`, { base, alias: 'default' });
  const run = async (name: string) =>
    await ask(headless, `${platform}/v1/runs`, {
      spec: fixtureSpec(name),
      input: 'one',
      async_mode: true,
    });
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
export function addressesOf(
  at: Awaited<ReturnType<typeof fillWorkbench>>,
): Record<keyof typeof paths, string> {
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
    webhooks: paths.webhooks(),
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

/** Goes to an address of the window; resolves when the page is drawn with what it read. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, path);
  await expect(
    page.locator('main h1, main .monaco-editor, main [role="alert"]').first(),
  ).toBeVisible();
  await expect(page.getByTestId('skeleton')).toHaveCount(0);
}
