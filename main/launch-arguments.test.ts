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
    ),
  ).toEqual({
    data: '/home/me/state',
    project: '/p',
    trust: false,
    safe: false,
    links: ['specwright://run/1'],
    files: ['/home/me/a.json'],
  });
});

test('a switch without a value says nothing', () => {
  expect(readLaunchArguments(['--data'], '/').data).toBeUndefined();
  expect(readLaunchArguments(['--data=', '--trust'], '/')).toMatchObject({
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
  expect(readLaunchArguments(words, '/home/me/work')).toEqual({
    data: undefined,
    project: undefined,
    trust: false,
    safe: false,
    links: ['specwright://open/a.json', 'SPECWRIGHT://../../etc/a.yaml'],
    files: [],
  });
});

test('safe mode is a word of its own', () => {
  expect(readLaunchArguments(['--safe'], '/').safe).toBe(true);
});
