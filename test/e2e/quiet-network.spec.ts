// Nothing leaves the computer: a whole session in a network of its own, whose way out is counted.
// Chromium looks by a UDP socket whether there is a way out over IPv6; it sends nothing there, and the
// socket is gone at once.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { canMakeNetwork, inOwnNetwork } from './support/own-network.ts';
import { scratchFolder } from './support/scratch-folder.ts';

test.skip(!canMakeNetwork(), 'no network of its own can be made here');
test.setTimeout(420_000);

const root = path.resolve(import.meta.dirname, '../..');

test('a whole session opens no socket but loopback and sends no packet out', () => {
  const folder = scratchFolder();
  const node = path.join(root, 'node_modules/.bin/node');
  const script = path.join(import.meta.dirname, 'support/quiet-session.ts');
  const [program, ...words] = inOwnNetwork(node, script, folder.path);
  const { stdout, stderr, status } = spawnSync(program, words, { cwd: root, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const { session, control } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(session).toEqual({ packets: 0, sockets: [] });
  // What does go out is counted, by both versions of IP.
  expect(control.packets).toBeGreaterThanOrEqual(2);
  expect(control.sockets).toBeGreaterThanOrEqual(2);
  folder.remove();
});
