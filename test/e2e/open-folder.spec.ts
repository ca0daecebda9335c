import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { ask } from './support/ask.ts';
import { openDesktop, startAgain } from './support/desktop.ts';
import { dropFiles } from './support/dropped-files.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';

const spec = (name: string) => `version: v1\nagent:\n  name: ${name}\n  system_prompt: Go.\n`;

test('a folder of this computer becomes a project: chosen, dropped, refused', async () => {
  const folder = scratchFolder();
  const write = (ref: string, text: string) => {
    const file = path.join(folder.path, 'mine', ref);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('letters/flows/a.yaml', spec('a'));
  write('letters/flows/b.yaml', spec('b'));
  write('orders/c.yaml', spec('c'));
  write('orders/n8n.json', '{"nodes": [], "connections": {}}\n');
  const at = (name: string) => path.join(folder.path, 'mine', name);
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.ready();
  await expect(page.getByTestId('welcome')).toBeVisible();
  await desktop.chooseFiles(at('letters'));
  await page.getByTestId('welcome-open-folder').click();
  await expect(page.getByTestId('found-text')).toContainText('2 specs in this folder');
  await expect(page.getByTestId('project-page').getByRole('heading', { level: 1 })).toHaveText(
    'letters',
  );
  // The question comes with the folder, and once.
  const question = page.getByTestId('trust-dialog');
  await expect(question).toContainText(at('letters'));
  await expect(question).toContainText('None of its code runs');
  await checkLooks(desktop, 'open-folder-trust');
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');
  await checkLooks(desktop, 'open-folder');
  await page.getByTestId('add-found-specs').click();
  await expect(page.getByTestId('draft-flows/a.yaml')).toBeVisible();

  await dropFiles(page, at('orders'));
  await expect(page.getByTestId('dropped-folder')).toBeVisible();
  await checkLooks(desktop, 'open-folder-dropped');
  await expect(page.getByTestId('dropped-open')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByTestId('trust-give').click();
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
  await expect(page.getByTestId('found-text')).toContainText('c.yaml in this folder');

  // A folder inside of a project, from the palette; then one that is a project already.
  const open = async (name: string) => {
    await desktop.chooseFiles(at(name));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('open a folder');
    await page.keyboard.press('Enter');
  };
  await open('letters/flows');
  await expect(page.getByRole('alert').last()).toContainText('overlaps that of another project');
  // From the menu.
  await desktop.chooseFiles(at('letters'));
  await desktop.app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((one) => one.submenu?.items ?? []);
    items?.find(({ id }) => id === 'file.open-folder')?.click();
  });
  await expect(page.getByTestId('draft-flows/a.yaml')).toBeVisible();
  await expect(question).toBeHidden();
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});

test('a folder comes from the command line, a second start and the file manager', async () => {
  const folder = scratchFolder();
  const at = (name: string) => path.join(folder.path, 'mine', name);
  for (const name of ['first', 'second', 'third']) {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(path.join(at(name), `${name}.yaml`), spec(name));
  }
  // The data folder has its own project "default" from an earlier start.
  const before = await openDesktop({ folder: folder.path });
  await before.ready();
  await before.close();

  const desktop = await openDesktop({ folder: folder.path, args: [at('first')] });
  const { page } = desktop;
  await desktop.ready();
  const question = page.getByTestId('trust-dialog');
  const notNow = page.getByRole('button', { name: 'Not now' });
  const heading = page.getByTestId('project-page').getByRole('heading', { level: 1 });
  const expectOpened = async (name: string) => {
    await expect(question).toContainText(at(name));
    await notNow.click();
    await expect(heading).toHaveText(name);
    await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'untrusted');
  };
  await expectOpened('first');
  await startAgain(folder.path, at('second'));
  await expectOpened('second');
  // The file manager of macOS, and addresses as some of Linux write them.
  await desktop.app.evaluate(
    ({ app }, place) => app.emit('open-file', { preventDefault: () => undefined }, place),
    at('third'),
  );
  await expectOpened('third');
  await startAgain(folder.path, pathToFileURL(at('first')).href);
  await expect(heading).toHaveText('first');
  // What cannot be one is told in the window.
  await startAgain(folder.path, path.join(folder.path, 'mine'));
  await expect(page.getByRole('alert').last()).toContainText('overlaps that of another project');
  await expect(question).toBeHidden();
  expect(desktop.errors).toEqual([]);
  await desktop.close();
  folder.remove();
});

const WITH_FUNCTION = `version: v1
agent: {name: desk}
workflow:
  name: pipe
  type: sequential
  steps: [{id: work, kind: function, ref: work}]
components:
  functions:
    work: {implementation: desk.work}
`;

test('two trusted folders: the function of each is found and runs, and none of the other', async () => {
  const folder = scratchFolder();
  const at = (name: string) => path.join(folder.path, 'mine', name);
  for (const name of ['first', 'second']) {
    mkdirSync(path.join(at(name), 'functions'), { recursive: true });
    writeFileSync(path.join(at(name), 'pipe.yaml'), WITH_FUNCTION);
    const code = `export const work = (text: string) => '${name}: ' + text;\n`;
    writeFileSync(path.join(at(name), 'functions', 'desk.ts'), code);
  }
  const own = 'export const mine = (text: string) => text;\n';
  writeFileSync(path.join(at('second'), 'functions', 'own.ts'), own);
  const desktop = await openDesktop({ folder: folder.path });
  const { page } = desktop;
  await desktop.ready();
  const projects: string[] = [];
  for (const name of ['first', 'second']) {
    await startAgain(folder.path, at(name));
    await expect(page.getByTestId('trust-dialog')).toContainText(at(name));
    await page.getByTestId('trust-give').click();
    await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
    projects.push(/projects\/([^/?]+)/.exec(page.url())?.[1] ?? '');
  }
  expect(new Set(projects).size).toBe(2);
  const [first = '', second = ''] = projects;
  const begin = (project: string, text: string) =>
    ask(desktop, 'POST', `/studio/api/projects/${project}/draft-runs`, {
      ...{ alias: 'default', draft: { path: 'pipe.yaml', revision: 'seen' } },
      ...{ text, input: 'hello' },
    });
  const outputOf = async (project: string): Promise<unknown> => {
    const { platform_run_id: id } = await begin(project, WITH_FUNCTION);
    const run = () => ask(desktop, 'GET', `/platform/v1/runs/${id}`);
    await expect.poll(async () => (await run()).status).toBe('completed');
    return (await run()).output_text;
  };
  expect(await outputOf(second)).toBe('second: hello');
  expect(await outputOf(first)).toBe('first: hello');
  // The file of the one is no code of the other.
  const others = WITH_FUNCTION.replace('desk.work', 'own.mine');
  expect((await begin(second, others)).platform_run_id).toEqual(expect.any(String));
  await expect(begin(first, others)).rejects.toThrow(/functions\/own\.ts is not in/);
  await desktop.close();
  folder.remove();
});
