import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { endWithTests } from './children.ts';

/** The person who uses the program in there. */
export const PERSON = { name: 'desk', home: '/home/desk' };

/** A Debian system of its own: files, processes and mounts, all gone when it is closed. */
export interface DebianRoot {
  /** Where a file of it is seen from outside. */
  outside(file: string): string;
  /** Runs a command as root to its end; gives what it printed. */
  run(command: string, env?: Readonly<Record<string, string>>): string;
  /** Words that start a program in there as the person, with the display of the tests. */
  asPerson(words: readonly string[]): readonly [string, ...string[]];
  close(): Promise<void>;
}

/** Why no Debian system can be made here; undefined when one can. */
export function whyNoDebianRoot(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a Debian system is made by root on Linux only';
  if (!existsSync('/usr/sbin/debootstrap')) return 'debootstrap is not installed';
  if (!existsSync('/usr/bin/xdotool')) return 'xdotool is not installed';
  const from = mirror();
  if (from === undefined) return 'apt knows no archive: run apt-get update';
  if (!existsSync(path.join(cacheFolder(), bareName(from))) && !isReached(from))
    return 'the archive of this system is not reached, and no clean system was kept';
  const tried = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']);
  return tried.status === 0 ? undefined : 'namespaces are not allowed here';
}

/** Asks the archive for its index, as apt does. */
function isReached({ address, codename }: Mirror): boolean {
  const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-archive-'));
  const words = ['download-file', `${address}/dists/${codename}/Release`, `${scratch}/Release`];
  const { status } = spawnSync('/usr/lib/apt/apt-helper', words, { timeout: 30_000 });
  rmSync(scratch, { recursive: true });
  return status === 0;
}

interface Mirror {
  readonly address: string;
  readonly codename: string;
}

/** The archive that this machine's own packages come from. */
function mirror(): Mirror | undefined {
  const words = ['indextargets', '--format', '$(REPO_URI) $(CODENAME) $(COMPONENT)'];
  const listed = spawnSync('apt-get', [...words, 'Created-By: Packages'], { encoding: 'utf8' });
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const codename = /^VERSION_CODENAME="?(\w+)/m.exec(release)?.[1];
  const line = (listed.stdout ?? '').split('\n').find((one) => one.endsWith(` ${codename} main`));
  // Some archives do not know an address with two strokes in a row.
  const address = line?.split(' ')[0]?.replace(/\/+$/, '');
  return address === undefined || codename === undefined ? undefined : { address, codename };
}

function cacheFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  return path.join(
    process.env['SPECWRIGHT_CACHE'] ?? path.join(cache, 'specwright-build'),
    'roots',
  );
}

/** Makes a folder once for all runs; half of one is never taken for a whole. */
function cached(name: string, make: (folder: string) => void): string {
  const folder = path.join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder(), { recursive: true });
  const unfinished = mkdtempSync(path.join(cacheFolder(), 'unfinished-'));
  try {
    make(unfinished);
    // Another run may have made it meanwhile.
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

const bareName = ({ codename }: Mirror) => `${codename}-bare`;

/** The folder of the smallest Debian, and the person in it. @throws where apt knows no archive. */
export function bareDebian(from = mirror()): string {
  if (from === undefined) throw new Error('apt knows no archive');
  const { address, codename } = from;
  return cached(bareName(from), (folder) => {
    execFileSync('debootstrap', ['--variant=minbase', codename, folder, address], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    execFileSync('chroot', [folder, 'useradd', '-m', PERSON.name]);
    rmSync(path.join(folder, 'var/cache/apt/archives'), { recursive: true });
  });
}

function fieldOf(deb: string, name: string): string {
  return execFileSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).trim();
}

/** An empty package that depends on the same as another. */
function sameDepends(deb: string, target: string): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-depends-'));
  mkdirSync(path.join(scratch, 'DEBIAN'));
  const lines = [
    'Package: same-depends',
    'Version: 1',
    'Architecture: all',
    'Maintainer: Tests <tests@specwright.example>',
    `Depends: ${fieldOf(deb, 'Depends')}`,
    'Description: what another package depends on',
  ];
  writeFileSync(path.join(scratch, 'DEBIAN/control'), `${lines.join('\n')}\n`);
  execFileSync('dpkg-deb', ['--build', scratch, target], { stdio: 'ignore' });
  rmSync(scratch, { recursive: true });
}

/**
 * A Debian with what apt brings for a package, and nothing else: fetched once for a list of
 * dependencies, so that the tests after the first one need no network.
 */
async function debianFor(deb: string): Promise<readonly string[]> {
  const from = mirror();
  if (from === undefined) throw new Error('apt knows no archive');
  const bare = bareDebian(from);
  const depends = createHash('sha256').update(fieldOf(deb, 'Depends')).digest('hex').slice(0, 12);
  const name = `${from.codename}-${depends}`;
  const folder = path.join(cacheFolder(), name);
  if (existsSync(folder)) return [folder, bare];
  const root = await openRoot([bare]);
  try {
    copyFileSync('/etc/resolv.conf', root.outside('/etc/resolv.conf'));
    sameDepends(deb, root.outside('/tmp/same-depends.deb'));
    const quiet = '-qq -y --no-install-recommends -o Dpkg::Use-Pty=0';
    root.run('mkdir -p /var/cache/apt/archives/partial && apt-get update -qq');
    root.run(`DEBIAN_FRONTEND=noninteractive apt-get install ${quiet} /tmp/same-depends.deb`);
    root.run('dpkg --remove same-depends && apt-get clean && rm /tmp/same-depends.deb');
    // With the marks of what the packages deleted, which are devices and attributes.
    const layer = cached(name, (made) => execFileSync('cp', ['-a', `${root.layer}/.`, made]));
    return [layer, bare];
  } finally {
    await root.close();
  }
}

/** Mounts in a namespace of its own: a test that is killed leaves no mount behind. */
const HOLD = `set -e
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/layer,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mkdir -p before
pivot_root . before
cd /
umount -l /before
echo held
exec sleep infinity`;

async function openRoot(layers: readonly string[]): Promise<DebianRoot & { layer: string }> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-root-'));
  for (const name of ['layer', 'work', 'root']) mkdirSync(path.join(scratch, name));
  // It ends with this process, however that ends, and everything in there with it.
  const words = ['--pdeathsig', 'SIGKILL', 'unshare', '--mount', '--pid', '--fork'];
  const last = ['--kill-child=SIGKILL', '--propagation', 'private'];
  const holder = endWithTests(
    spawn('setpriv', [...words, ...last, 'sh', '-c', HOLD, 'hold', scratch, layers.join(':')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) =>
      reject(new Error(`no Debian system: unshare ended with ${code}`)),
    );
  });
  const [inner] = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').split(
    ' ',
  );
  if (inner === undefined || inner === '') throw new Error('the Debian system has no process');
  const enter = ['-t', inner, '-m', '-p', '--'];
  const outside = (file: string) => path.join('/proc', inner, 'root', file);
  return {
    layer: path.join(scratch, 'layer'),
    outside,
    run(command, env = {}) {
      const done = spawnSync('nsenter', [...enter, '/bin/sh', '-c', command], {
        encoding: 'utf8',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8', ...env },
      });
      if (done.status !== 0)
        throw new Error(`${command}\n${done.stdout}\n${done.stderr}\n${done.status}`);
      return done.stdout;
    },
    asPerson(words) {
      const { display, authority } = displayFor(outside);
      const env = [`DISPLAY=${display}`, ...authority, `HOME=${PERSON.home}`, 'LANG=C.UTF-8'];
      const as = ['/usr/sbin/runuser', '-u', PERSON.name, '--', 'env', '-i', '-C', PERSON.home];
      return ['nsenter', ...enter, ...as, 'PATH=/usr/bin:/bin', ...env, ...words];
    },
    async close() {
      const ended = new Promise((resolve) => holder.once('exit', resolve));
      holder.kill('SIGKILL');
      await ended;
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The display is reached by its abstract socket; its key is laid where the person can read it. */
function displayFor(outside: (file: string) => string) {
  const display = process.env['DISPLAY'];
  expect(display, 'a display').toBeDefined();
  const key = process.env['XAUTHORITY'];
  if (key === undefined || !existsSync(key)) return { display, authority: [] };
  copyFileSync(key, outside('/tmp/display-key'));
  execFileSync('chmod', ['644', outside('/tmp/display-key')]);
  return { display, authority: ['XAUTHORITY=/tmp/display-key'] };
}

/** A clean Debian that has only what a package depends on; the files of `packages` lie in /packages. */
export async function debianRoot(packages: Readonly<Record<string, string>>): Promise<DebianRoot> {
  const [first] = Object.values(packages);
  if (first === undefined) throw new Error('no package is given');
  const root = await openRoot(await debianFor(first));
  mkdirSync(root.outside('/packages'));
  for (const [name, file] of Object.entries(packages))
    copyFileSync(file, root.outside(`/packages/${name}`));
  expect(readdirSync(root.outside('/packages'))).toHaveLength(Object.keys(packages).length);
  return root;
}
