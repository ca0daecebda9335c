import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openShellState, parseShellState } from './shell-state.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'shell-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a damaged or foreign file counts as no saved state', () => {
  const empty = {
    ...{ theme: 'system', language: 'system', tray: false },
    ...{ windows: [], running: false, crashes: 0, zoom: 100 },
  };
  for (const text of ['', '{', 'null', '[]', '{"bounds":{"x":"0"},"theme":"pink"}']) {
    expect(parseShellState(text)).toEqual(empty);
  }
});

test('a saved state comes back', () => {
  const place = '/projects/desk/drafts/a.yaml?line=3';
  const record = { id: 'w1', maximized: true, place, project: 'desk', connection: null };
  const bounds = { x: 1, y: 2, width: 1280, height: 800 };
  const state = {
    theme: 'dark' as const,
    language: 'de' as const,
    tray: true,
    windows: [{ ...record, bounds }],
    running: true,
    crashes: 2,
    zoom: 150,
  };
  expect(parseShellState(JSON.stringify(state))).toEqual(state);
});

test('the bounds of the one window of earlier versions are kept', () => {
  const bounds = { x: 1, y: 2, width: 1280, height: 800 };
  const { windows } = parseShellState(JSON.stringify({ bounds, maximized: true, theme: 'dark' }));
  expect(windows).toMatchObject([{ bounds, maximized: true, place: null }]);
});

test('changes that come while one is written are on the disk once it settled', async () => {
  const file = path.join(folder, 'deep', 'window.json');
  const state = openShellState(file, (text) => expect.unreachable(text));
  state.update({ theme: 'dark' });
  state.update({ running: true });
  await state.settled();
  expect(parseShellState(readFileSync(file, 'utf8'))).toEqual(state.value);
  expect(openShellState(file, () => undefined).value.running).toBe(true);
});

test('a disk that refuses is told, and the state goes on', async () => {
  const problems: string[] = [];
  const blocked = path.join(folder, 'no-folder');
  writeFileSync(blocked, '');
  const state = openShellState(path.join(blocked, 'window.json'), (text) => problems.push(text));
  state.update({ theme: 'light' });
  await state.settled();
  expect(problems).toHaveLength(1);
  expect(state.value.theme).toBe('light');
});
