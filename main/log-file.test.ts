import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-ring-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the file of the shell turns over while the program runs', () => {
  const log = createLogFile(path.join(folder, 'logs', 'shell.log'), () => new Date(0));
  const row = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let index = 0; index < 20; index += 1) log.write(row);
  const logs = path.join(folder, 'logs');
  expect(readdirSync(logs).sort()).toEqual(['shell.log', 'shell.log.1']);
  for (const name of readdirSync(logs)) {
    expect(statSync(path.join(logs, name)).size).toBeLessThanOrEqual(5 * 1024 * 1024);
  }
});
