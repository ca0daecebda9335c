import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { makeDraft, openDraft, TIDY_SPEC } from './support/editor.ts';
import { serveHeadless } from './support/headless.ts';
import {
  openPackaged,
  type PackagedApp,
  packageInto,
  withoutPrograms,
} from './support/packaged.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { keepScreen } from './support/screens.ts';

test.skip(process.platform !== 'linux', 'packages the form for Linux');

/** Says which program ran it. */
const CODE = `
export const tidy = (text: string) => 'tidied: ' + text.trim() + ' by ' + process.execPath;
`;

const packages = path.resolve(import.meta.dirname, '../../test-results/packaged');
let app: PackagedApp;
let folder: ScratchFolder;
let project: string;

test.beforeAll(() => {
  rmSync(packages, { recursive: true, force: true });
  app = packageInto(packages);
});
test.afterAll(() => rmSync(packages, { recursive: true, force: true }));

test.beforeEach(() => {
  folder = scratchFolder();
  project = path.join(folder.path, 'desk');
  mkdirSync(path.join(project, 'functions'), { recursive: true });
  writeFileSync(path.join(project, 'functions/texts.ts'), CODE);
});
test.afterEach(() => folder.remove());

test('a packaged window runs functions on its own Node, once the folder is trusted', async () => {
  // The runtime itself cannot run them: it is closed to being used as a Node.
  const fuses = await getCurrentFuseWire(app.executable);
  expect(fuses[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE);

  const window = await openPackaged(app, { folder: folder.path, args: ['--project', project] });
  const { page } = window;
  await window.ready();
  await makeDraft(window, 'tidy', TIDY_SPEC);
  await openDraft(page, 'tidy.yaml');
  await page.getByTestId('run-draft').click();
  await page.getByTestId('draft-run-input').fill('  Hello  ');
  await page.getByTestId('run-draft').click();
  await expect(page.getByTestId('draft-run-prevented')).toContainText(
    'Code and commands run only from a trusted folder',
  );
  await keepScreen(page, 'packaged-untrusted');

  await page.getByTestId('draft-run-trust').click();
  await page.getByTestId('trust-give').click();
  await expect(page.getByTestId('status-trust')).toHaveAttribute('data-state', 'trusted');
  await page.getByTestId('run-draft').click();
  await expect(page.getByTestId('draft-run-output')).toContainText(
    `tidied: Hello by ${app.program.node}`,
  );
  // The refusal before was one of these.
  expect(window.errors.filter((line) => !line.includes('409'))).toEqual([]);
  await window.close();
});

test('its command line does too, without a window, and refuses what is not trusted', async () => {
  const serve = async (args: readonly string[]) => {
    const headless = await serveHeadless({
      program: app.program,
      folder: path.join(folder.path, 'data'),
      args: ['--project', project, ...args],
      env: withoutPrograms(folder.path),
    });
    const answer = await fetch(`${headless.urls.platform}/v1/runs`, {
      method: 'POST',
      headers: { ...headless.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ spec: parse(TIDY_SPEC), input: '  Hello  ' }),
    });
    const body = await answer.json();
    expect(await headless.stop()).toBe(0);
    return { status: answer.status, body };
  };
  expect(await serve([])).toMatchObject({
    status: 400,
    body: { detail: { error: 'spec_invalid' } },
  });
  expect(await serve(['--trust'])).toMatchObject({
    status: 200,
    body: { status: 'completed', output_text: `tidied: Hello by ${app.program.node}` },
  });
});
