import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { openDesktop } from './support/desktop.ts';
import { makeDraft } from './support/editor.ts';
import { chooseMenu, menuLines } from './support/menu.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

const folder = scratchFolder();
test.afterAll(() => folder.remove());

const SECRET = 'sk-planted0123456789abcdef';
const PASSPHRASE = 'correct-horse-battery-0815';
const PROSE = 'The quick brown draft that stays here';

async function membersOf(file: string): Promise<Map<string, string>> {
  const reader = new ZipReader(new Uint8ArrayReader(readFileSync(file)));
  const members = new Map<string, string>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) throw new Error('a bundle has no folders');
    members.set(entry.filename, Buffer.from(await entry.arrayBuffer()).toString('utf8'));
  }
  return members;
}

test('a bundle is shown file by file, saved as it was shown, and holds no secret', async () => {
  const logs = path.join(folder.path, 'logs');
  mkdirSync(logs, { recursive: true });
  const rows = [
    JSON.stringify({ level: 50, msg: `call with ${SECRET} failed`, password: PASSPHRASE }),
    `Authorization: Bearer ${SECRET}`,
  ];
  appendFileSync(path.join(logs, 'shell.log'), `${rows.join('\n')}\n`);
  appendFileSync(path.join(logs, 'services.log'), `${rows.join('\n')}\n`);
  const desktop = await openDesktop({
    folder: folder.path,
    env: { SPECWRIGHT_PLANTED: PASSPHRASE, OPENAI_API_KEY: SECRET },
  });
  const { page, app } = desktop;
  await desktop.ready();
  await makeDraft(desktop, 'kept', `version: v1\nagent:\n  name: d\n  system_prompt: ${PROSE}\n`);
  const token = (await desktop.services()).gateway.token;
  const canAsk = async () =>
    (await menuLines(app)).some(({ id, enabled }) => id === 'app.diagnostics' && enabled);
  await expect.poll(canAsk).toBe(true);
  await chooseMenu(app, 'Help', 'Save diagnostics…');
  const text = page.getByTestId('diagnostics-text');
  await expect(text).toHaveValue(/"electron"/);
  await page.getByRole('button', { name: 'Show shell.log' }).click();
  await expect(text).toHaveValue(/\[REDACTED\]/);
  const shown = await text.inputValue();
  await checkLooks(desktop, 'diagnostics');

  const saved = path.join(folder.path, 'bundle.zip');
  await desktop.saveAs(saved);
  await page.getByRole('checkbox', { name: 'windows.json' }).uncheck();
  await page.getByTestId('diagnostics-save').click();
  await expect(page.getByText('bundle.zip is saved')).toBeVisible();
  const members = await membersOf(saved);
  expect([...members.keys()]).toEqual(['program.json', 'stores.json', 'shell.log', 'services.log']);
  expect(members.get('shell.log')).toBe(shown);
  const all = [...members.values()].join('\n');
  for (const kept of [SECRET, PASSPHRASE, PROSE, token]) expect(all).not.toContain(kept);
  expect(all).toContain('SPECWRIGHT_PLANTED');

  // A place that cannot be written is said, and what the window did not collect cannot be saved.
  await desktop.saveAs(path.join(folder.path, 'not-there', 'bundle.zip'));
  await page.getByTestId('diagnostics-save').click();
  await expect(page.getByText('was not saved')).toBeVisible();
  const refused = await page.evaluate(async () => {
    const bridge = (
      window as { specwright?: { saveDiagnostics(names: unknown): Promise<unknown> } }
    ).specwright;
    return bridge?.saveDiagnostics(['../../etc/passwd']).then(() => 'saved', String);
  });
  expect(refused).toContain('at least one collected file');
  await desktop.close();
});
