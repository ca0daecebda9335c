import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { scratchFolder } from './support/scratch-folder.ts';
import { serveAlone } from './support/serve-one.ts';

const root = path.resolve(import.meta.dirname, '../..');
const container = path.join(root, 'scripts/container');
const node = path.join(root, 'node_modules/.bin/node');
const USER = 10_001;

function instruction(name: string): string {
  const lines = readFileSync(path.join(container, 'Containerfile'), 'utf8').split('\n');
  return lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
}

test('what the image holds serves the dashboard with its window, as nobody special (OD-005)', async () => {
  const folder = scratchFolder();
  const app = path.join(folder.path, 'app');
  execFileSync(node, [path.join(container, 'stage.mjs'), app]);
  const data = path.join(folder.path, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(folder.path, 0o755);
    chownSync(data, USER, USER);
  }
  expect(instruction('USER')).toBe(`${USER}:${USER}`);
  expect(instruction('EXPOSE')).toBe('8090');
  const [, bundle] = JSON.parse(instruction('ENTRYPOINT'));
  expect(JSON.parse(instruction('CMD'))).toEqual(['dashboard', 'serve']);

  // Nothing of the checkout is in reach: neither its modules nor its files.
  const service = await serveAlone(data, JSON.parse(instruction('CMD')), {
    env: { DASH_DEV_MODE: '1' },
    program: { node, entry: path.join(folder.path, bundle) },
    cwd: data,
    ...(isRoot ? { user: USER } : {}),
  });
  expect((await fetch(`${service.url}/api/livez`)).status).toBe(200);
  const page = await (await fetch(`${service.url}/runs`)).text();
  expect(page).toContain('specwright-served');
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(`${service.url}${script}`)).headers.get('content-type')).toMatch(
    /javascript/,
  );
  // The same image runs the platform, too, over its own store.
  await service.stop();
  const platform = await serveAlone(data, ['service', 'serve'], {
    program: { node, entry: path.join(folder.path, bundle) },
    cwd: data,
    ...(isRoot ? { user: USER } : {}),
  });
  expect((await fetch(`${platform.url}/v1/readyz`)).status).toBe(200);
  await platform.stop();
  folder.remove();
});
