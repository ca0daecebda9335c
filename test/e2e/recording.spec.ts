import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { openProvider } from './support/provider.ts';
import { fixtureSpec } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

/** A call of the window's own studio. */
async function studio(desktop: Desktop, method: string, url: string, body?: object) {
  const { gateway } = await desktop.services();
  return await desktop.page.evaluate(
    async (call) => {
      const answer = await fetch(`${call.gateway.url}/studio/api/projects/default${call.url}`, {
        method: call.method,
        headers: {
          authorization: `Bearer ${call.gateway.token}`,
          'content-type': 'application/json',
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text === '' ? null : JSON.parse(text);
    },
    { gateway, method, url, body },
  );
}

async function makeArtifact(desktop: Desktop, text: string): Promise<string> {
  const made = await studio(desktop, 'POST', '/drafts', {
    name: 'desk',
    kind: 'spec',
    text,
  });
  const ref = { path: made.ref, revision: made.revision };
  await studio(desktop, 'POST', '/drafts/assertions', { ref });
  const artifact = await studio(desktop, 'POST', '/artifacts', { base: ref, alias: 'default' });
  return artifact.id;
}

test('a run is recorded and replayed without its provider', async () => {
  const folder = scratchFolder();
  const provider = await openProvider();
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  const spec = fixtureSpec('support-triage.yaml', (document) => {
    for (const agent of Object.values<{ model?: object }>(document.components.agents)) {
      agent.model = { provider: 'openai', name: 'gpt-5', extra: { base_url: provider.url } };
    }
  });
  const id = await makeArtifact(desktop, stringify(spec));
  const openArtifact = () =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, `/projects/default/artifacts/${id}`);

  await openArtifact();
  await page.getByTestId('run-artifact').click();
  await page.getByTestId('run-input').fill('paper jam');
  await page.getByText('Call and record').click();
  await page.getByTestId('recording-name').fill('desk/1');
  await expect(page.getByTestId('run-submit')).toBeDisabled();
  await page.getByTestId('recording-name').fill('desk-1');
  await page.waitForTimeout(300);
  await keepScreen(page, 'recording-choose');
  await page.getByTestId('run-submit').click();
  await expect(page.getByTestId('run-output')).toContainText('From the provider.');
  await expect(page.getByTestId('recording')).toContainText('recorded as desk-1');
  const file = path.join(folder.path, 'projects/default/.studio/recordings/desk-1.jsonl');
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('From the provider.');
  const asked = provider.seen.length;

  provider.close();
  await openArtifact();
  await page.getByTestId('run-artifact').click();
  await page.getByText('Replay a recording').click();
  await page.getByTestId('recording-name').click();
  await page.getByTestId('recording-name').fill('desk');
  await page.getByRole('option', { name: 'desk-1' }).click();
  await page.getByTestId('run-submit').click();
  await expect(page.getByTestId('recording')).toContainText('from the recording desk-1');
  await expect(page.getByTestId('run-output')).toContainText('From the provider.');
  await page.waitForTimeout(500);
  await keepScreen(page, 'recording-replayed');
  expect(provider.seen).toHaveLength(asked);
  await desktop.close();
  folder.remove();
});
