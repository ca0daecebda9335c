import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { type DebianRoot, debianRoot, PERSON, whyNoDebianRoot } from './support/debian-root.ts';
import { makePackages, openInstalled, packageIn, startAsPerson } from './support/installed.ts';
import { keepScreen } from './support/screens.ts';
import { EXPORT_FILE, expectEverythingThere, walkStory } from './support/story.ts';

// The first run of a machine fetches a Debian and what the package depends on.
test.describe.configure({ timeout: 600_000 });

/** A folder of released packages, made by `npm run test:packages`; else a deb is made here. */
const given = process.env['SPECWRIGHT_PACKAGES'];
const released = given === undefined ? undefined : path.resolve(given);

const isCi = process.env['CI'] !== undefined;
const reason =
  isCi && released === undefined
    ? 'minutes for each change are too many: npm run test:packages does it'
    : whyNoDebianRoot();
test.skip(reason !== undefined && released === undefined, reason ?? '');
// Whoever asks for packages to be tried is told when that cannot be done.
test.beforeAll(() => expect(reason, 'why no clean Debian can be made here').toBeUndefined());

const NEXT = '0.1.1';

const results = path.resolve(import.meta.dirname, '../../test-results');
let debian: DebianRoot | undefined;
test.afterEach(async () => {
  await debian?.close();
  debian = undefined;
});
test.afterAll(() => {
  for (const name of ['installed', 'installed-next'])
    rmSync(path.join(results, name), { recursive: true, force: true });
});

const APT = 'DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Options::=--force-unsafe-io';
/** Without archives: the clean system has what the package names, no more. */
const NO_ARCHIVES = '-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=/dev/null';
const INSTALL = `${APT} install --no-install-recommends ${NO_ARCHIVES}`;

const FUSES_OFF = [
  FuseV1Options.RunAsNode,
  FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  FuseV1Options.EnableNodeCliInspectArguments,
  FuseV1Options.GrantFileProtocolExtraPrivileges,
];
const FUSES_ON = [
  FuseV1Options.EnableCookieEncryption,
  FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  FuseV1Options.OnlyLoadAppFromAsar,
];

async function expectWellInstalled(root: DebianRoot): Promise<void> {
  const fuses = await getCurrentFuseWire(root.outside('/opt/Specwright/specwright-window'));
  for (const fuse of FUSES_OFF) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.DISABLE);
  for (const fuse of FUSES_ON) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.ENABLE);
  const entry = readFileSync(root.outside('/usr/share/applications/specwright.desktop'), 'utf8');
  expect(entry).toContain('Exec=/opt/Specwright/specwright %U\n');
  expect(entry).toContain('x-scheme-handler/specwright;');
  expect(entry).toContain('application/json;');
  expect(entry).toContain('inode/directory;');
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512])
    expect(root.run(`ls /usr/share/icons/hicolor/${size}x${size}/apps`)).toBe('specwright.png\n');
  const resources = '/opt/Specwright/resources/app.asar.unpacked/resources';
  for (const file of [
    '/usr/share/doc/specwright/copyright',
    '/opt/Specwright/LICENSES.chromium.html',
    '/opt/Specwright/resources/node/LICENSE',
    `${resources}/third-party-notices.txt`,
  ])
    expect(existsSync(root.outside(file)), file).toBe(true);
  // Nothing but root writes where a program is started from.
  expect(root.run('find /opt/Specwright /usr/bin/specwright ! -type l -perm /022')).toBe('');
}

/** Starts the services by the command, without a display, and asks them something. */
async function expectCommand(root: DebianRoot, version: string): Promise<void> {
  const once = (...words: string[]) => {
    const [command, ...rest] = root.asPerson(['specwright', ...words]);
    return execFileSync(command, rest, { encoding: 'utf8' });
  };
  expect(once('--version')).toBe(`specwright ${version}\n`);
  const ports = ['gateway', 'platform', 'dashboard', 'studio'].flatMap((one) => [
    `--${one}-port`,
    '0',
  ]);
  const data = path.join(PERSON.home, 'served');
  const service = startAsPerson(root, ['specwright', 'serve', '--data', data, ...ports]);
  await expect.poll(service.output, { timeout: 30_000 }).toContain('"ready":true');
  const ready: { platform: string; key_file: string } = JSON.parse(service.output());
  const key = readFileSync(root.outside(ready.key_file), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${ready.platform}/v1/runs`, { headers })).status).toBe(200);
  expect((await fetch(`${ready.platform}/v1/runs`)).status).toBe(401);
  await service.stop();
}

/** The draft and the stores of the person. */
function kept(root: DebianRoot): string {
  const data = path.join(PERSON.home, '.config/Specwright');
  return root.run(
    `cd ${data} && find . -name 'refund-desk.yaml' -o -name '*.db' | sort | xargs -r sha256sum`,
  );
}

test('a deb in a clean Debian: the main job, the command, an upgrade, removal and purge', async () => {
  const old = packageIn(released ?? makePackages('installed', 'deb'), '.deb');
  const newer = packageIn(makePackages('installed-next', 'deb', NEXT), '.deb');
  debian = await debianRoot({ 'old.deb': old, 'next.deb': newer });
  const version = execFileSync('dpkg-deb', ['-f', old, 'Version'], { encoding: 'utf8' }).trim();
  debian.run(`${INSTALL} /packages/old.deb`);
  await expectWellInstalled(debian);

  const first = await openInstalled(debian, ['specwright']);
  await first.ready();
  await walkStory(first.surface);
  await keepScreen(first.page, 'installed-main-job');
  await first.close();
  await expectCommand(debian, version);

  debian.run(`${INSTALL} /packages/next.deb`);
  const second = await openInstalled(debian, ['specwright']);
  await second.ready();
  await expectEverythingThere(second.surface);
  await second.close();
  await expectCommand(debian, NEXT);

  const before = kept(debian);
  expect(before).toContain('refund-desk.yaml');
  debian.run(`${APT} remove specwright`);
  expect(debian.run('ls -d /opt/* /usr/bin/specwright* 2>/dev/null || true')).toBe('');
  expect(kept(debian)).toBe(before);
  expect(debian.run(`${APT} purge specwright`)).toContain('what people made stays');
  expect(kept(debian)).toBe(before);

  // Asked for, and as each person: what a link leads to stays.
  debian.run(`${INSTALL} /packages/next.deb`);
  // The person could delete it: nothing but the care of the purge keeps it.
  const link = `${PERSON.home}/.cache/Specwright`;
  debian.run('mkdir -p /srv/other && touch /srv/other/file');
  debian.run(`mkdir -p ${PERSON.home}/.cache && rm -rf ${link} && ln -s /srv/other ${link}`);
  debian.run(`chown -hR ${PERSON.name}: /srv/other ${PERSON.home}/.cache`);
  const said = debian.run(`${APT} purge specwright`, { SPECWRIGHT_PURGE_DATA: 'yes' });
  expect(said).toContain(`deleted ${PERSON.home}/.config/Specwright`);
  expect(existsSync(debian.outside(`${PERSON.home}/.config/Specwright`))).toBe(false);
  expect(existsSync(debian.outside('/srv/other/file'))).toBe(true);
  expect(existsSync(debian.outside(`${PERSON.home}/${path.basename(EXPORT_FILE)}`))).toBe(true);
});

const elsewhere = 'npm run test:packages makes this package and tests it';

test('the AppImage starts in a clean Debian, as window and as command', async () => {
  test.skip(released === undefined, elsewhere);
  const folder = released ?? '';
  debian = await debianRoot({
    'any.deb': packageIn(folder, '.deb'),
    'Specwright.AppImage': packageIn(folder, '.AppImage'),
  });
  debian.run('chmod 755 /packages/Specwright.AppImage');
  // There is no FUSE in there; the runtime unpacks instead.
  const program = ['/packages/Specwright.AppImage', '--appimage-extract-and-run'];
  const [command, ...rest] = debian.asPerson([...program, '--version']);
  expect(execFileSync(command, rest, { encoding: 'utf8' })).toMatch(/^specwright \d/);
  const window = await openInstalled(debian, program);
  await window.ready();
  await expect(window.page.getByTestId('welcome')).toBeVisible();
  await window.close();
});

test('the tar.gz starts in a clean Debian wherever it is unpacked', async () => {
  test.skip(released === undefined, elsewhere);
  const folder = released ?? '';
  debian = await debianRoot({
    'any.deb': packageIn(folder, '.deb'),
    'any.tar.gz': packageIn(folder, '.tar.gz'),
  });
  debian.run(`cd ${PERSON.home} && tar -xzf /packages/any.tar.gz && mv specwright-* app`);
  const program = path.join(PERSON.home, 'app/specwright');
  const [command, ...rest] = debian.asPerson([program, '--version']);
  expect(execFileSync(command, rest, { encoding: 'utf8' })).toMatch(/^specwright \d/);
  const window = await openInstalled(debian, [program]);
  await window.ready();
  await expect(window.page.getByTestId('welcome')).toBeVisible();
  await window.close();
});
