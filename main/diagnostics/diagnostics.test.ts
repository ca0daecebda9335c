import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile } from '../log-file.ts';
import { parseShellState } from '../shell-state.ts';
import { bundleName, packDiagnostics } from './bundle.ts';
import { collectDiagnostics, type DiagnosticsFacts } from './collect.ts';

const SECRETS = [
  'sk-planted0123456789',
  'ghp_a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6',
  'hunter2hunter2',
];
const [MODEL_KEY = '', TOKEN = '', PASSWORD = ''] = SECRETS;
const HOME = '/home/ada';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-diagnostics-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function facts(): DiagnosticsFacts {
  const log = createLogFile(path.join(folder, 'logs', 'shell.log'), () => new Date(0));
  log.note('error', `A call with ${MODEL_KEY} failed in ${HOME}/specs/desk.yaml`);
  log.write(
    `${JSON.stringify({ level: 30, msg: 'asked', api_key: MODEL_KEY, at: { password: PASSWORD } })}\n`,
  );
  log.write(`Authorization: Bearer ${TOKEN}\nError: at ${HOME}/x.ts password=${PASSWORD}\n`);
  const services = path.join(folder, 'logs', 'services.log');
  writeFileSync(services, `{"level":50,"msg":"refused token=${TOKEN}"}\n`);
  return {
    now: new Date('2026-01-02T03:04:05.678Z'),
    info: {
      version: '0.1.0',
      electron: '33.2.1',
      chrome: '130',
      node: '20.18.1',
      services_node: null,
      schemas: null,
      data_folder: `${HOME}/.config/specwright`,
    },
    metrics: { marks: { app_ready: 300 }, processes: [] },
    system: { platform: 'linux', arch: 'x64' },
    services: {
      phase: 'crashed',
      gateway: { url: 'http://127.0.0.1:1', token: PASSWORD },
      restarts: 2,
      problem: `no way in with ${MODEL_KEY}`,
      preparing: null,
    },
    state: parseShellState(
      JSON.stringify({ windows: [{ id: 'a', place: '/projects/salaries/drafts/boss.yaml' }] }),
    ),
    safe: false,
    env: { SPECWRIGHT_HOME: '/x', SPECWRIGHT_PASSPHRASE: PASSWORD, OPENAI_API_KEY: MODEL_KEY },
    homeFolder: HOME,
    stores: [{ name: 'platform.db', bytes: 4096 }],
    logs: { shell: log.spans(), services: [{ file: services, start: 0, size: 200 }] },
  };
}

test('no planted secret, no folder of a person and no name of a variable of others is collected', async () => {
  const files = await collectDiagnostics(facts());
  const all = JSON.stringify(files);
  for (const secret of SECRETS) expect(all).not.toContain(secret);
  expect(all).not.toContain(HOME);
  expect(all).not.toContain('OPENAI_API_KEY');
  expect(all).not.toContain('127.0.0.1:1');
  const text = (name: string) => files.find((file) => file.name === name)?.text ?? '';
  expect(text('shell.log')).toContain('[REDACTED]');
  expect(text('shell.log')).toContain('~/specs/desk.yaml');
  expect(text('program.json')).toContain('SPECWRIGHT_PASSPHRASE');
  expect(JSON.parse(text('program.json'))).toMatchObject({
    program: { version: '0.1.0' },
    services: { phase: 'crashed', restarts: 2 },
  });
});

test('names of projects are in no file but the one that somebody must choose', async () => {
  const files = await collectDiagnostics(facts());
  const chosen = files.filter((file) => file.chosen);
  expect(JSON.stringify(chosen)).not.toContain('salaries');
  const others = files.filter((file) => !file.chosen);
  expect(others.map(({ name }) => name)).toEqual(['places.json']);
  expect(others[0]?.text).toContain('salaries');
});

test('the archive holds the chosen files, each as it was shown, and no other', async () => {
  const files = await collectDiagnostics(facts());
  const names = ['program.json', 'shell.log', '../outside'];
  const reader = new ZipReader(new Uint8ArrayReader(await packDiagnostics(files, names)));
  const entries = await reader.getEntries();
  expect(entries.map(({ filename }) => filename)).toEqual(['program.json', 'shell.log']);
  for (const entry of entries) {
    if (entry.directory) throw new Error('a bundle has no folders');
    const bytes = new Uint8Array(await entry.arrayBuffer());
    const shown = files.find(({ name }) => name === entry.filename)?.text;
    expect(new TextDecoder().decode(bytes)).toBe(shown);
  }
  expect(bundleName(new Date('2026-01-02T03:04:05.678Z'))).toBe(
    'specwright-diagnostics-2026-01-02T030405.zip',
  );
});

test('of a long log the end is collected', async () => {
  const given = facts();
  const log = createLogFile(path.join(folder, 'long', 'shell.log'), () => new Date(0));
  for (let at = 0; at < 30_000; at += 1) log.note('info', `line ${at} ${'x'.repeat(100)}`);
  const logs = { ...given.logs, shell: log.spans() };
  const files = await collectDiagnostics({ ...given, logs });
  const text = files.find(({ name }) => name === 'shell.log')?.text ?? '';
  expect(text.length).toBeLessThan(1.5 * 1024 * 1024);
  expect(text).toContain('line 29999 ');
  expect(text).not.toContain('line 5 ');
});
