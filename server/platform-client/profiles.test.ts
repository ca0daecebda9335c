import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProfiles } from '../dashboard/profiles.ts';
import { lookUpProfile } from '../studio/environments/profiles.ts';
import { profilesFiles, readProfilesFile } from './profiles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'profiles.toml');
writeFileSync(
  file,
  `
[good]
url = "https://one.example"
api_key = "k"
timeout = 5

[odd]
url = "ftp://two.example"
api_key = 7
auth_scheme = "magic"
timeout = "soon"

[profiles.nested]
url = "http://127.0.0.1:1"
auth_scheme = "x-kneo-api-key"
`,
);

test('the dashboard takes what it can use, the studio refuses a profile that is not right', () => {
  const read = readProfiles(file, {});
  expect([...read.keys()].sort()).toEqual(['good', 'nested', 'odd']);
  expect(read.get('odd')).toMatchObject({ apiKey: undefined, authScheme: 'bearer', timeout: 30 });
  expect(lookUpProfile([file], 'good')).toEqual({
    ok: true,
    profile: {
      url: 'https://one.example',
      apiKey: 'k',
      authScheme: 'bearer',
      timeoutMs: 5000,
    },
  });
  expect(lookUpProfile([file], 'odd')).toEqual({
    ok: false,
    reason: 'Profile odd has no usable url.',
  });
  expect(lookUpProfile([file], 'nested')).toMatchObject({
    ok: true,
    profile: { authScheme: 'x-kneo-api-key', timeoutMs: 30_000 },
  });
  expect(lookUpProfile([file], 'none')).toMatchObject({ ok: false });
});

test('the first file that is there counts; one that is no TOML is told, without its text', () => {
  const broken = path.join(folder, 'broken.toml');
  writeFileSync(broken, 'api_key = "secret');
  const none = path.join(folder, 'none.toml');
  expect(readProfilesFile([none, file]).kind).toBe('read');
  expect(readProfilesFile([none]).kind).toBe('none');
  expect(readProfilesFile([broken, file]).kind).toBe('unreadable');
  expect(() => readProfiles(broken, {})).toThrow('The profiles file is not readable as TOML.');
  expect(() => readProfiles(none, {})).toThrow('DASH_PROFILES_FILE names no file.');
  expect(readProfiles(undefined, { XDG_CONFIG_HOME: folder }).size).toBe(0);
});

test('files are looked for in the configuration folder (dashboard.md 2)', () => {
  expect(profilesFiles('/x/y.toml', { HOME: '/h' })).toEqual(['/x/y.toml']);
  const inHome = ['/h/.config/specwright/profiles.toml', '/h/.config/kneo/client.toml'];
  expect(profilesFiles(undefined, { HOME: '/h', XDG_CONFIG_HOME: ' ' })).toEqual(inHome);
  expect(profilesFiles(undefined, { XDG_CONFIG_HOME: '/c' })[0]).toBe(
    '/c/specwright/profiles.toml',
  );
});
