// A whole session of the window, run by quiet-network.spec.ts in a network of its own. It prints what
// it saw of that network as one line of JSON.
import path from 'node:path';
import { expect as usual } from '@playwright/test';
import { type Desktop, openDesktop } from './desktop.ts';
import { makeDraft, openDraft } from './editor.ts';
import { packetsOut, type Socket, socketsBeyondLoopback } from './own-network.ts';
import { EXPORT_FILE } from './story.ts';

const [, , folder = ''] = process.argv;
const LOOK_MS = 250;
const expect = usual.configure({ timeout: 120_000 });
const ECHO = `version: v1
agent: {name: desk}
workflow: {name: quiet, type: sequential, steps: [say]}
components: {agents: {say: {name: say, system_prompt: Answer.}}}
`;

const seen = new Map<string, Socket>();
const look = () => {
  for (const socket of socketsBeyondLoopback()) seen.set(JSON.stringify(socket), socket);
};
const looking = setInterval(look, LOOK_MS);

/** Outside of the runner nothing waits as long as a slow machine takes. */
const answering = (desktop: Desktop) =>
  expect.poll(async () => (await desktop.services()).phase, { timeout: 120_000 }).toBe('ready');

/** What is asked of the window: everything that a person does on the first day. */
async function workADay(): Promise<void> {
  const desktop = await openDesktop({ folder: path.join(folder, 'state') });
  const { page } = desktop;
  page.setDefaultTimeout(120_000);
  await answering(desktop);
  await expect(page.getByTestId('welcome-network')).toContainText(
    'opens no connection beyond this computer',
  );
  await desktop.chooseFiles(EXPORT_FILE);
  await page.getByTestId('import-workflow').first().click();
  await expect(page.getByTestId('import-summary')).toBeVisible({ timeout: 120_000 });
  await page.getByTestId('open-editor').click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await makeDraft(desktop, 'quiet', ECHO);
  await openDraft(page, 'quiet');
  await page.keyboard.press('F5');
  await page.getByTestId('draft-run-input').fill('hello');
  await page.getByTestId('draft-run-start').click();
  await expect(page.getByTestId('draft-run-status')).toHaveAttribute('data-status', 'completed', {
    timeout: 60_000,
  });
  for (const place of [
    'runs',
    'tasks',
    'overview',
    'settings',
    'operate/health',
    'operate/audit',
  ]) {
    await page.evaluate((hash) => {
      location.hash = `/${hash}`;
    }, place);
    await page.waitForTimeout(1_500);
  }
  await desktop.close();
  const again = await openDesktop({ folder: path.join(folder, 'state') });
  await answering(again);
  await again.page.waitForTimeout(3_000);
  await again.close();
}

/** Something that does go out is seen, else the rest would prove nothing. */
async function goOut(): Promise<{ readonly packets: number; readonly sockets: number }> {
  const [packets, sockets] = [packetsOut(), seen.size];
  await Promise.allSettled(
    ['http://192.0.2.1/', 'http://[2001:db8::1]/'].map((address) =>
      fetch(address, { signal: AbortSignal.timeout(1_000) }),
    ),
  );
  return { packets: packetsOut() - packets, sockets: seen.size - sockets };
}

const before = packetsOut();
await workADay();
const session = { packets: packetsOut() - before, sockets: [...seen.values()] };
const control = await goOut();
clearInterval(looking);
process.stdout.write(`${JSON.stringify({ session, control })}\n`);
