import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { type Desktop, openDesktop } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { resize } from './support/runs.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { keepLooks, keepScreen } from './support/screens.ts';
import { EXPORT_FILE } from './support/story.ts';

const PUBLIC = path.resolve(import.meta.dirname, '../fixtures/public-n8n');

let folder: ScratchFolder;
let desktop: Desktop;
test.beforeAll(async () => {
  folder = scratchFolder();
  desktop = await openDesktop({ folder: folder.path });
  await desktop.ready();
});
test.afterAll(async () => {
  await desktop.close();
  folder.remove();
});

/** From Welcome of a fresh window as from a window in work: each test may be the first one. */
async function chooseForImport(page: Page, file: string): Promise<void> {
  await desktop.chooseFiles(file);
  const places = page.getByTestId('import-workflow').or(page.getByTestId('sidebar-file.import'));
  await places.first().click();
}

test('a dropped folder of 143 exports: what one has, and what to do first', async () => {
  const { page } = desktop;
  await expect(page.getByTestId('import-workflow')).toBeEnabled();
  await dropFiles(page, PUBLIC);
  await expect(page.getByTestId('import-batch')).toBeVisible();
  await expect(page.getByTestId('batch-done')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('heading', { name: '143 of 143 files imported' })).toBeVisible();
  await expect(page.getByTestId('batch-next')).toContainText('Start with');
  await page.waitForTimeout(2_500);
  await keepLooks(desktop, 'import-batch');
  // A small window has room for what to do first and for files.
  await resize(desktop, 1024, 700);
  await expect(page.getByTestId('batch-start')).toBeInViewport({ ratio: 0.99 });
  await expect(page.getByTestId(/^row-/).nth(2)).toBeInViewport({ ratio: 0.99 });
  await resize(desktop, 1440, 900);

  await page.reload();
  await expect(page.getByRole('heading', { name: '143 of 143 files imported' })).toBeVisible();
  await page.getByTestId('place-runs').click();
  await page.goBack();

  await page.getByTestId('batch-cause-code').click();
  await expect(page.getByTestId('batch-shown')).toContainText('of 143');
  await page.getByTestId('batch-cause-code').click();
  await expect(page.getByTestId('batch-shown')).toHaveText('143 files');
  await page.getByLabel('Find a file').fill('042');
  await expect(page.getByTestId('batch-shown')).toHaveText('1 of 143');
  await page.getByTestId('row-public-n8n/042.json').getByText('Gaps').click();
  await expect(page.getByTestId('gap-page')).toBeVisible();
  await page.goBack();

  const report = path.join(folder.path, 'report.html');
  await desktop.saveAs(report);
  await page.getByTestId('batch-report').click();
  await page.getByRole('menuitem', { name: 'Page (HTML)' }).click();
  await expect.poll(() => existsSync(report)).toBe(true);
  expect(readFileSync(report, 'utf8').trimEnd()).toMatch(/<\/html>$/);

  await desktop.saveAs(path.join(folder.path, 'gone', 'report.html'));
  await page.getByTestId('batch-report').click();
  await page.getByRole('menuitem', { name: 'Page (HTML)' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'report.html was not written' });
  await expect(refused).toContainText('Choose another folder');
  await keepScreen(page, 'import-report-refused');
  await expectAccessible(page);
  await refused.getByRole('button', { name: 'Dismiss' }).click();
  await expect(refused).toBeHidden();
  await page.getByTestId('batch-start').click();
  await expect(page.getByTestId('import-result')).toBeVisible();
  await keepLooks(desktop, 'import-batch-first');
});

test('an import of many files can be cancelled; what is imported stays', async () => {
  const { page } = desktop;
  await expect(
    page.getByTestId('import-workflow').or(page.getByTestId('sidebar')).first(),
  ).toBeVisible();
  await dropFiles(page, PUBLIC);
  await page.getByTestId('batch-cancel').click();
  await expect(page.getByTestId('batch-cancelled')).toBeVisible();
  await expect(page.getByTestId('import-batch')).toContainText('what was imported stays');
});

test('an import that a reload interrupts goes on with the files that are left', async () => {
  const { page } = desktop;
  // Rows are kept every one and a half seconds: a fast machine would be done by then.
  await page.route('**/import/n8n', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await dropFiles(page, PUBLIC);
  await expect(page.getByRole('heading', { name: /^Importing [1-9]/ })).toBeVisible();
  await page.waitForTimeout(2_500);
  await page.reload();
  // A request that the reload ended cannot be let through any more.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(page.getByTestId('batch-interrupted')).toBeVisible();
  await keepScreen(page, 'import-interrupted');
  await page.getByTestId('batch-continue').click();
  await expect(page.getByTestId('batch-done')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('heading', { name: '143 of 143 files imported' })).toBeVisible();
});

/** A zip archive of stored members. */
function archive(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(members)) {
    const fields = Buffer.alloc(26);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\0\0'), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const size = Buffer.concat(directory).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

test('a zip archive comes in through the dialog of the system', async () => {
  const { page } = desktop;
  const file = path.join(folder.path, 'exports.zip');
  const names = ['019.json', '043.json'];
  const members = names.map((name) => [`mine/${name}`, readFileSync(path.join(PUBLIC, name))]);
  writeFileSync(file, archive(Object.fromEntries(members)));
  await chooseForImport(page, file);
  await expect(page.getByRole('heading', { name: '2 of 2 files imported' })).toBeVisible();
  await expect(page.getByTestId('row-exports.zip/mine/019.json')).toBeVisible();

  await page.getByTestId('batch-clear').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear results' }).click();
  await expect(page.getByText('Drop files, a folder or a zip archive')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Drop files, a folder or a zip archive')).toBeVisible();
});

function draftFile(name: string): string {
  const found = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).find(
    (file) => path.basename(file) === name && file.includes('drafts'),
  );
  if (found === undefined) throw new Error(`${name} is not on the disk`);
  return path.join(folder.path, found);
}

async function importFile(page: Page, file: string): Promise<void> {
  await chooseForImport(page, file);
  await expect(page.getByTestId('import-result')).toBeVisible();
}

test('a file that is imported again keeps the edits of its draft', async () => {
  const { page } = desktop;
  const source = path.join(folder.path, 'refund-desk.json');
  const text = readFileSync(EXPORT_FILE, 'utf8');
  writeFileSync(source, text);
  await importFile(page, source);
  await expect(page.getByTestId('reimport')).toBeHidden();
  const draft = draftFile('refund-desk.yaml');
  writeFileSync(draft, `# Looked after by the desk team.\n${readFileSync(draft, 'utf8')}`);

  writeFileSync(source, text.replace('You answer refund requests.', 'You answer refund mails.'));
  await importFile(page, source);
  await expect(page.getByTestId('reimport')).toContainText('refund-desk.yaml is untouched');
  await keepLooks(desktop, 'import-again');
  await expectAccessible(page);
  await page.getByTestId('reimport-review').click();
  await expect(page.getByTestId('reimport-dialog')).toContainText('Both changes fit together');
  await page.waitForTimeout(300);
  await keepScreen(page, 'import-again-merge');
  await page.getByTestId('reimport-save').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const merged = readFileSync(draft, 'utf8');
  expect(merged).toContain('# Looked after by the desk team.');
  expect(merged).toContain('You answer refund mails.');

  const conflicting = merged.replace('refund mails', 'refund letters');
  writeFileSync(draft, conflicting);
  writeFileSync(source, text.replace('You answer refund requests.', 'You answer refund calls.'));
  await importFile(page, source);
  await page.getByTestId('reimport-review').click();
  await expect(page.getByTestId('meaning-open')).toContainText('1 place');
  await expect(page.getByTestId('reimport-save')).toBeDisabled();
  await keepScreen(page, 'import-again-conflict');
  await page.getByTestId('reimport-views').getByText('Lines').click();
  await expect(page.getByTestId('merge-place')).toBeVisible();
  await expect(page.getByTestId('reimport-save')).toBeDisabled();
  await page.getByTestId('reimport-views').getByText('Changes').click();
  await page.getByTestId('conflict').getByText('Keep mine').click();
  await page.waitForTimeout(300);
  await keepScreen(page, 'import-again-decided');
  await page.getByTestId('reimport-save').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(readFileSync(draft, 'utf8')).toBe(conflicting);
});
