import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readLaunchArguments } from './launch-arguments.ts';

test('folders, files and addresses are found among the runtime switches', () => {
  expect(
    readLaunchArguments(
      [
        '.',
        '--no-sandbox',
        '--data',
        'state',
        'a.json',
        'specwright://run/1',
        '--project=/p',
        'x.png',
      ],
      '/home/me',
      '/home/me',
    ),
  ).toEqual({
    data: '/home/me/state',
    project: '/p',
    trust: false,
    safe: false,
    links: ['specwright://run/1'],
    files: ['/home/me/a.json'],
    folders: [],
  });
});

test('a switch without a value says nothing', () => {
  expect(readLaunchArguments(['--data'], '/', '/own').data).toBeUndefined();
  expect(readLaunchArguments(['--data=', '--trust'], '/', '/own')).toMatchObject({
    data: undefined,
    trust: true,
  });
});

test('an address never becomes a path of this machine', () => {
  const words = [
    ...['specwright://open/a.json', 'SPECWRIGHT://../../etc/a.yaml', 'specwright:a.json'],
    ...['specwright:../../secret.yml', 'specwright:/etc/b.zip', '--project', 'specwright:../x'],
    '--data=specwright://data',
  ];
  expect(readLaunchArguments(words, '/home/me/work', '/own')).toEqual({
    data: undefined,
    project: undefined,
    trust: false,
    safe: false,
    links: ['specwright://open/a.json', 'SPECWRIGHT://../../etc/a.yaml'],
    files: [],
    folders: [],
  });
});

test('safe mode is a word of its own', () => {
  expect(readLaunchArguments(['--safe'], '/', '/own').safe).toBe(true);
});

test('folders are found by standing there: by path, address or link, also one named like a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'words-'));
  const at = (name: string) => path.join(folder, name);
  for (const name of ['desk', 'Straße 1', 'flows.json', 'own', 'state'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('a b.json'), '{}');
  symlinkSync(at('desk'), at('linked'));
  const words = [
    ...[at('own'), '--data', 'state', 'desk', 'flows.json', 'linked', 'nothing'],
    ...[pathToFileURL(at('Straße 1')).href, pathToFileURL(at('a b.json')).href],
    // On another computer, or no path at all.
    ...['file://elsewhere/desk', 'file:///%00', 'file:///%2fetc'],
  ];
  const given = readLaunchArguments(words, folder, at('own'));
  rmSync(folder, { recursive: true });
  expect(given.folders.map((one) => path.relative(folder, one))).toEqual([
    'desk',
    'flows.json',
    'linked',
    'Straße 1',
  ]);
  expect(given.files).toEqual([at('a b.json')]);
  expect([given.project, given.data]).toEqual([undefined, at('state')]);
});
