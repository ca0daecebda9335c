// A team over several nodes, and a person who works with them from another computer: one worker is killed
// in the middle of runs, nothing is lost, and the collector has the whole story of every run.
import { expect, type Page, test } from '@playwright/test';
import { parse } from 'yaml';
import { TEAM_RESOURCE, WINDOW_CLIENT } from '../support/identity-provider.ts';
import type { CollectedSpan } from '../support/otlp-collector.ts';
import { addConnection, connectTo } from './support/connections.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { makeDraft, openDraft } from './support/editor.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks, keepLooks } from './support/screens.ts';
import { startTeamNodes, type TeamNodes } from './support/team-nodes.ts';

test.setTimeout(300_000);

const SEARCHED = 'Found at the depot. It leaves on Monday and is at the house the day after. ';
const ANSWER = 'Your parcel comes on Tuesday.';
/** Runs of colleagues beside the person's own. */
const COLLEAGUES = 5;

const specText = (tools: string): string => `version: v1
agent: {name: desk}
mcp_servers: {shop: {transport: http, url: "${tools}", timeout: 5}}
workflow:
  name: parcels
  type: sequential
  steps:
    - {id: find, kind: agent, ref: finder}
    - {id: check, kind: human, ref: boss}
    - {id: answer, kind: agent, ref: writer}
components:
  agents:
    finder:
      name: finder
      system_prompt: Find the parcel.
      model: {provider: openai, name: m-1}
      strategy: {type: react, max_iterations: 4}
      tools: {include: [search]}
    writer: {name: writer, system_prompt: Answer., model: {provider: openai, name: m-2}}
  humans:
    boss: {description: May this be sent?, request_type: approval}
tools:
  search: {description: Finds a parcel., mcp: {server: shop, name: web_search}}
`;

/** A model that searches, then says slowly what it found, for as long as that is looked at. */
function teach({ models }: TeamNodes, isSlow: () => boolean): void {
  models.answerWith(({ body }) => {
    if (body.model === 'm-2') return { text: ANSWER };
    const messages: readonly { readonly role: string }[] = body.messages;
    return messages.some(({ role }) => role === 'tool')
      ? {
          text: SEARCHED.repeat(5),
          fault: { kind: 'drip', everyMs: () => (isSlow() ? 800 : 20) },
        }
      : { toolCalls: [{ name: 'search', arguments: { query: 'parcel' } }] };
  });
}

/** The person signs in in the system's browser; here the test is that browser. */
async function signIn(desktop: Desktop, { provider }: TeamNodes): Promise<void> {
  const { app, page } = desktop;
  await app.evaluate(({ dialog, shell }) => {
    dialog.showMessageBox = async () => ({ response: 2, checkboxChecked: false });
    shell.openExternal = async (address) => {
      (globalThis as { opened?: string }).opened = address;
    };
  });
  await page.getByTestId('connection').click();
  await page.getByTestId('connections-manage').click();
  await page.getByTestId('sign-in-begin-Team').click();
  const opened = () => app.evaluate(() => (globalThis as { opened?: string }).opened ?? '');
  await expect.poll(opened).toContain(`${provider.issuer}/auth`);
  await fetch(await provider.signIn(await opened(), 'ada'));
  await expect(page.getByTestId('sign-in-Team')).toContainText('Ada', { timeout: 30_000 });
}

/** Runs the open draft at the team's platform, and goes to the run's page; answers the run's id. */
async function runAtTeam(page: Page, input: string): Promise<string> {
  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-input').fill(input);
  await page.getByTestId('draft-run-start').click();
  await page.getByRole('link', { name: 'Open in Runs' }).click();
  await expect(page.getByTestId('run-page')).toBeVisible();
  return /runs\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
}

async function answerTask(team: TeamNodes, runId: string): Promise<void> {
  const run = () => team.ask(`/v1/runs/${runId}`);
  await expect.poll(async () => (await run()).status, { timeout: 60_000 }).toBe('blocked');
  const at = `/v1/human-tasks/${(await run()).continuation_id}`;
  const request_id = (await team.ask(at)).request.id;
  await team.ask(`${at}/resume`, { request_id, decision: 'approved' });
}

/** Names of the spans of a run's trace, each below the one that it names; a root stands below nothing. */
function told(spans: readonly CollectedSpan[], runId: string): string[] {
  // Requests of people who look at the run name it too.
  const run = spans.find(
    ({ name, attributes }) => name === 'run parcels' && attributes['specwright.run.id'] === runId,
  );
  const ofRun = spans.filter(({ trace }) => trace === run?.trace);
  const names = new Map(ofRun.map(({ id, name }) => [id, name]));
  const lines = ofRun.map(({ name, parent }) => `${name} < ${names.get(parent) ?? parent}`);
  return lines.toSorted();
}

/**
 * Every part that the trace of a finished run has, under one id: two legs of the workflow, before and
 * after the person, and two answers of the first model. What a kill cut off is told where it ended.
 */
const WHOLE = (request: string): string[] =>
  [
    `${request} < `,
    `run parcels < ${request}`,
    ...['invoke_workflow parcels < run parcels', 'invoke_workflow parcels < run parcels'],
    'invoke_agent finder < invoke_workflow parcels',
    ...['chat m-1 < invoke_agent finder', 'chat m-1 < invoke_agent finder'],
    'tools/call search < invoke_agent finder',
    'human check < run parcels',
    'invoke_agent writer < invoke_workflow parcels',
    'chat m-2 < invoke_agent writer',
  ].toSorted();

test('a worker of the team dies in the middle of runs, and a window of another person sees all of them through', async () => {
  const team = await startTeamNodes();
  const here = scratchFolder();
  let isSlow = true;
  teach(team, () => isSlow);
  const desktop = await openDesktop({ folder: here.path });
  const { page } = desktop;
  await desktop.ready();
  await addConnection(page, team.authority, {
    ...{ name: 'Team', color: 'teal', ...team.front },
    auth: {
      ...{ kind: 'oidc', issuer: team.provider.issuer },
      ...{ client_id: WINDOW_CLIENT, resource: TEAM_RESOURCE },
    },
  });
  await page.reload();
  const text = specText(team.tools.url);
  await makeDraft(desktop, 'parcels', text);
  await connectTo(page, 'Team');
  await signIn(desktop, team);
  await openDraft(page, 'parcels');

  const own = await runAtTeam(page, 'Where is my parcel?');
  const queued = Array.from({ length: COLLEAGUES }, (_item, at) =>
    team.ask('/v1/runs', { spec: parse(text), input: `parcel ${at}`, async_mode: true }),
  );
  const runs = [own, ...(await Promise.all(queued)).map(({ run_id }) => run_id as string)];

  const answering = page.getByTestId('live-answer');
  await expect(answering).toContainText('finder is answering', { timeout: 60_000 });
  await expect(answering).toContainText('Found at the depot');
  await keepLooks(desktop, 'team-nodes-answering');
  const killed = await team.workerOf(own);
  await page.evaluate(() => document.body.setAttribute('data-since', 'before the kill'));
  await killed.stop('SIGKILL');

  // Without a reload: who executes it now goes on, and the page says what happened.
  await expect(page.getByTestId('taken-over')).toContainText('stopped answering', {
    timeout: 30_000,
  });
  await expect(page.getByTestId('trace')).toContainText('taken over after its worker');
  await expect(answering).toContainText('Found at the depot', { timeout: 30_000 });
  await checkLooks(desktop, 'team-nodes-taken-over');
  isSlow = false;
  await expect(page.getByTestId('decide-approved')).toBeVisible({ timeout: 60_000 });
  await keepLooks(desktop, 'team-nodes-asks');
  await page.getByTestId('decide-approved').click();
  await expect(page.getByTestId('run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 60_000,
  });
  await expect(page.getByTestId('run-output')).toContainText(ANSWER);
  await keepLooks(desktop, 'team-nodes-done');

  await page.getByTestId('place-runs').click();
  await Promise.all(runs.slice(1).map((runId) => answerTask(team, runId)));
  const done = page.locator('[data-status="completed"]');
  await expect(done).toHaveCount(runs.length, { timeout: 60_000 });
  await expect(page.locator('body')).toHaveAttribute('data-since', 'before the kill');
  await keepLooks(desktop, 'team-nodes-all-done');

  for (const runId of runs) {
    const request = runId === own ? 'POST /v1/specs/run' : 'POST /v1/runs';
    await expect.poll(() => told(team.collector.spans, runId)).toEqual(WHOLE(request));
  }
  const from = new Set(team.collector.spans.map(({ resource }) => resource['service.name']));
  expect(from).toEqual(new Set(['api', 'worker-1', 'worker-2']));
  await desktop.close();
  await team.stop();
  here.remove();
});
