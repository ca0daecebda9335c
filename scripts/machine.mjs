// What the system must have for tests, benches and pictures: libraries of the window, a display, a browser.
import { existsSync } from 'node:fs';
import { ensureRuntime } from './electron-runtime.mjs';
import { fail, hasDisplay, installSystemPackages, missingLibraries, run } from './toolchain.mjs';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function hasBrowser() {
  const given = process.env.SPECWRIGHT_CHROMIUM;
  return BROWSERS.some((file) => existsSync(file)) || (given !== undefined && existsSync(given));
}

/** Programs that test the packages in a Debian of its own; only root can make one. */
function missingForDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return [];
  const debootstrap = existsSync('/usr/sbin/debootstrap') ? [] : ['debootstrap'];
  return existsSync('/usr/bin/xdotool') ? debootstrap : [...debootstrap, 'xdotool'];
}

function hasSecretService() {
  return ['dbus-daemon', 'gnome-keyring-daemon'].every((name) => existsSync(`/usr/bin/${name}`));
}

/**
 * Installs the Debian packages that tests, benches and pictures need; ends with the line to type
 * where it may not.
 */
export async function prepareMachine() {
  if (process.platform !== 'linux') return;
  const libraries = missingLibraries(await ensureRuntime());
  const programs = [];
  if (!hasDisplay() && !existsSync('/usr/bin/xvfb-run')) programs.push('xvfb', 'xauth');
  if (!hasBrowser()) programs.push('chromium');
  // Without it the tests of the sandbox see what holds where there is none.
  if (process.getuid?.() === 0 && !existsSync('/usr/bin/bwrap')) programs.push('bubblewrap');
  programs.push(...missingForDebian());
  // Without them the tests of a real Secret Service are skipped, and say so.
  if (process.getuid?.() === 0 && !hasSecretService())
    programs.push('dbus-daemon', 'gnome-keyring');
  // Without it the tests behind a pooler are skipped, and say so.
  if (process.getuid?.() === 0 && !existsSync('/usr/sbin/pgbouncer')) programs.push('pgbouncer');
  const advice = installSystemPackages(libraries, programs);
  if (advice === undefined) return;
  if (hasBrowser() || run('playwright', ['install', 'chromium']) !== 0)
    fail(`some system packages are missing. Run this once:\n  ${advice}`);
}
