// Whether two builds of one commit are the same: each in a checkout of its own, the second under
// another path, umask, time zone and language, and some time later.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capture, modernNode, root, toolEnv } from '../toolchain.mjs';
import { packagesIn } from './report.mjs';

const OTHER = { TZ: 'Asia/Kathmandu', LANG: 'C', LC_ALL: 'C' };

async function checkout(folder) {
  const { code, output } = await capture('git', ['worktree', 'add', '--detach', folder, 'HEAD']);
  if (code !== 0) throw new Error(`no second checkout: ${output.trim()}`);
  // Hard links: nothing of it is written to.
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(folder, 'node_modules')]);
  const runtime = path.join(root, '.runtime');
  if (existsSync(runtime)) cpSync(runtime, path.join(folder, '.runtime'), { recursive: true });
}

async function buildIn(folder, { only, fast }, env, umask) {
  await checkout(folder);
  const words = [
    ...(only === undefined ? [] : ['--only', only.join(',')]),
    ...(fast ? ['--fast'] : []),
  ];
  const line = `umask ${umask}; exec "$0" scripts/package.mjs "$@"`;
  const { code, output } = await capture('sh', ['-c', line, modernNode(), ...words], {
    cwd: folder,
    env: toolEnv(env),
  });
  if (code !== 0) throw new Error(`a build failed:\n${output.trim()}`);
  return path.join(folder, 'release');
}

/** Modes, dates and hashes of all files below a folder, by name. */
function fingerprints(folder) {
  const found = new Map();
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = path.join(folder, name);
    const stat = lstatSync(file);
    const content = stat.isSymbolicLink()
      ? readlinkSync(file)
      : stat.isFile()
        ? createHash('sha256').update(readFileSync(file)).digest('hex')
        : '';
    found.set(name, `${stat.mode.toString(8)} ${stat.mtimeMs} ${content}`);
  }
  return found;
}

function differences(one, other) {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Builds twice and compares; answers what differs, one line each. */
export async function compareBuilds(options, say) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-reproduce-'));
  const folders = [path.join(scratch, 'one'), path.join(scratch, 'another/place')];
  try {
    const first = await buildIn(folders[0], options, {}, '022');
    const second = await buildIn(folders[1], options, OTHER, '077');
    const files = [...packagesIn(first), 'SHA256SUMS'];
    for (const name of readdirSync(first)) if (name.endsWith('.cdx.json')) files.push(name);
    const unlike = [];
    for (const name of files) {
      const same = hashOf(path.join(first, name)) === hashOf(path.join(second, name));
      say(`${same ? 'the same' : 'DIFFERS '} ${name}`);
      if (!same) unlike.push(`${name} differs between two builds`);
    }
    if (unlike.length === 0) return [];
    const packed = 'linux-unpacked';
    const inside = differences(
      fingerprints(path.join(first, packed)),
      fingerprints(path.join(second, packed)),
    );
    return [...unlike, ...inside.slice(0, 20).map((name) => `in the packed folder: ${name}`)];
  } finally {
    for (const folder of folders) await capture('git', ['worktree', 'remove', '--force', folder]);
    rmSync(scratch, { recursive: true, force: true });
  }
}
