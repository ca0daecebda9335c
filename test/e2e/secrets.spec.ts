// Where secrets are kept, over a real Secret Service: moved, locked, opened; and where they never are.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import {
  hasSecretService,
  NO_SECRET_SERVICE,
  startSecretService,
} from '../support/secret-service.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { openProvider } from './support/provider.ts';
import { fixtureSpec, startRun } from './support/runs.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

test.skip(!hasSecretService, NO_SECRET_SERVICE);

const CANARY = 'sk-canary-5b0e7d93aa41';
const PASSPHRASE = 'canary horse battery staple';
const FORMS = [CANARY, Buffer.from(CANARY).toString('base64'), PASSPHRASE];

function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    const bytes = readFileSync(file, 'latin1');
    return FORMS.some((form) => bytes.includes(form));
  });
}

/** Processes of this machine whose words or variables hold the value. */
function processesWith(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ['cmdline', 'environ'].map((what) => `/proc/${pid}/${what}`))
    .filter((file) => {
      try {
        const text = readFileSync(file, 'latin1');
        return FORMS.some((form) => text.includes(form));
      } catch {
        // It ended, or belongs to somebody else.
        return false;
      }
    });
}

/** What a page of this window holds: its document, its storage, and what the program logged for it. */
async function expectNowhere({ page }: Desktop, folder: string): Promise<void> {
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases]);
  });
  const seen = `${await page.content()}${stored}`;
  for (const form of FORMS) expect(seen).not.toContain(form);
  expect(processesWith()).toEqual([]);
  expect(filesWith(folder)).toEqual([]);
}

async function openSettings({ page }: Desktop): Promise<void> {
  await page.getByTestId('place-settings').click();
  await expect(page.getByTestId('secret-places')).toBeVisible();
}

async function typePassphrase({ page }: Desktop, button: string, fields: readonly string[]) {
  await page.getByTestId(button).click();
  for (const field of fields) await page.getByTestId(`passphrase-${field}`).fill(PASSPHRASE);
  await page.getByTestId('passphrase-submit').click();
  await expect(page.getByTestId('passphrase-submit')).toBeHidden();
}

test('secrets are seen by place, moved, locked and opened, and their values are nowhere else', async () => {
  const folder = scratchFolder();
  const provider = await openProvider();
  const service = await startSecretService();
  const desktop = await openDesktop({
    folder: folder.path,
    env: { ...service.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: provider.url },
  });
  const { page } = desktop;
  await desktop.ready();
  await openSettings(desktop);
  await expect(page.getByTestId('place-keychain')).toContainText('answers');
  await page.getByTestId('key-set-OPENAI_API_KEY').click();
  await page.getByTestId('key-value').fill(CANARY);
  await page.getByTestId('key-submit').click();
  const row = page.getByTestId('secret-OPENAI_API_KEY');
  await expect(row).toContainText('keychain');
  await expectNowhere(desktop, folder.path);

  await page.getByTestId('move-OPENAI_API_KEY').click();
  await expect(row).toContainText('encrypted file');
  await typePassphrase(desktop, 'passphrase-set', ['new', 'again']);
  await expect(page.getByTestId('lock-file')).toBeVisible();
  await page.getByTestId('secret-places').scrollIntoViewIfNeeded();
  await checkLooks(desktop, 'secrets-open');

  const spec = fixtureSpec('support-triage.yaml', (document) => {
    for (const agent of Object.values<{ model?: object }>(document.components.agents)) {
      agent.model = { provider: 'openai', name: 'gpt-5' };
    }
  });
  const id = await startRun(desktop, { spec, input: 'paper jam' });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `/runs/${id}`);
  await expect(page.getByTestId('run-output')).toContainText('From the provider.');
  expect(new Set(provider.seen)).toEqual(new Set([`Bearer ${CANARY}`]));
  await expectNowhere(desktop, folder.path);

  await openSettings(desktop);
  await page.getByTestId('lock-file').click();
  await expect(row).toContainText('locked');
  await service.become('locked');
  await page.reload();
  await openSettings(desktop);
  await checkLooks(desktop, 'secrets-locked');
  await typePassphrase(desktop, 'passphrase-unlock', ['current']);
  await expect(row).toContainText('encrypted file');

  await service.become('open');
  await page.reload();
  await openSettings(desktop);
  await page.getByTestId('move-OPENAI_API_KEY').click();
  await expect(page.getByTestId('move-OPENAI_API_KEY')).toContainText('encrypted file');
  await service.become('locked');
  await page.reload();
  await openSettings(desktop);
  await expect(page.getByTestId('place-keychain')).toContainText('locked');
  await page.getByTestId('unlock-keychain').click();
  await expect(page.getByTestId('error-state')).toContainText('The keychain is still locked');
  await checkLooks(desktop, 'secrets-keychain-locked');
  await expectNowhere(desktop, folder.path);
  await desktop.close();
  provider.close();
  await service.stop();
  expect(filesWith(folder.path)).toEqual([]);
  folder.remove();
});
