import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { buildCleanImage, type CleanImage } from '../support/clean-root.ts';

import { endWithTests } from './support/children.ts';
import { openChromium } from './support/headless.ts';
import { type ScratchFolder, scratchFolder } from './support/scratch-folder.ts';
import { freePort } from './support/team.ts';

const root = path.resolve(import.meta.dirname, '../..');
const container = path.join(root, 'scripts/container');
const node = path.join(root, 'node_modules/.bin/node');
const isRoot = process.getuid?.() === 0;

let folder: ScratchFolder;
let image: CleanImage;

test.beforeAll(() => {
  test.skip(!isRoot, 'the steps of the image need root, to change the owner of files and the root');
  folder = scratchFolder();
  const context = path.join(folder.path, 'context');
  execFileSync(node, [path.join(container, 'stage.mjs'), context]);
  mkdirSync(path.join(folder.path, 'root'));
  image = buildCleanImage(path.join(folder.path, 'root'), {
    file: path.join(container, 'Containerfile'),
    context,
    node,
  });
});
test.afterAll(() => folder?.remove());

/** What operators of a shared dashboard set; the provider is not there. */
const SETTINGS = {
  DASH_AUTH_MODE: 'oidc',
  DASH_SESSION_SECRET: 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g',
  DASH_OIDC_ISSUER: 'http://127.0.0.1:9',
  DASH_OIDC_CLIENT_ID: 'dash',
  DASH_OIDC_CLIENT_SECRET: 'not-a-secret',
  DASH_OIDC_REDIRECT_URL: 'http://127.0.0.1:8090/api/callback',
  DASH_OIDC_ROLE_MAP: '{"desk": "operator"}',
};

async function started(env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const child = endWithTests(image.spawn(image.command, { ...env, DASH_PORT: String(port) }));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/api/livez`).then(
      ({ status }) => status,
      () => (child.exitCode === null ? 'not yet' : `ended: ${said}`),
    );
  await expect.poll(isUp, { timeout: 30_000 }).toBe(200);
  return { child, url, said: () => said };
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return child.exitCode;
}

test('the steps of the image, in a clean root, give a dashboard with its window (OD-005)', async () => {
  expect([image.user, image.ports, image.volumes]).toEqual(['10001:10001', ['8090'], ['/data']]);
  expect(image.env).toMatchObject({ DASH_HOST: '0.0.0.0', DASH_PORT: '8090' });
  const data = statSync(path.join(image.root, 'data'));
  expect([data.uid, data.gid, data.mode & 0o777]).toEqual([10_001, 10_001, 0o700]);
  const { child, url } = await started(SETTINGS);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  expect(/^Uid:\s+(\d+)\s+(\d+)/m.exec(status)?.slice(1)).toEqual(['10001', '10001']);
  expect((await fetch(`${url}/api/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/api/me`)).status).toBe(401);
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(`${url}/runs`);
  await expect(
    page
      .getByRole('button', { name: /Sign in/ })
      .or(page.getByRole('link', { name: /Sign in/ }))
      .first(),
  ).toBeVisible();
  await browser.close();
  // The program itself is nobody's to change but root's, and its state is nobody else's to read.
  expect(() =>
    execFileSync('chroot', [
      `--userspec=${image.user}`,
      image.root,
      '/bin/sh',
      '-c',
      'echo x > /app/x',
    ]),
  ).toThrow();
  expect(await stop(child)).toBe(0);
});

test('the health check of the image tells a dashboard that answers from one that does not', async () => {
  const check = async (port: string): Promise<number | null> => {
    const words = image.healthcheck.map((word) => word.replace('8090', port));
    const child = endWithTests(image.spawn(words));
    await once(child, 'close');
    return child.exitCode;
  };
  const { child, url } = await started(SETTINGS);
  const { port } = new URL(url);
  expect(await check(port)).toBe(0);
  await stop(child);
  expect(await check(port)).toBe(1);
});

test('an image without a sign-in says why it does not start, instead of standing open', async () => {
  const child = endWithTests(image.spawn(image.command));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  expect([child.exitCode, said]).toEqual([3, expect.stringContaining('DASH_DEV_MODE')]);
});
