// Packs the program and makes packages of it; scripts/package.mjs says with which options.
import { createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild } from '../build.mjs';
import { ensureRuntime } from '../electron-runtime.mjs';
import { capture, fail, root } from '../toolchain.mjs';
import { writeBill } from './bill.mjs';
import { dropFeeds, signFeeds, updateKey } from './feed.mjs';
import { isForTests, packFolder } from './folder.mjs';
import { packagesIn, reportSizes, writeChecksums } from './report.mjs';
import { compareBuilds } from './reproduce.mjs';
import { TARGETS } from './targets.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

function readOptions(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      only: { type: 'string' },
      output: { type: 'string' },
      'set-version': { type: 'string' },
      fast: { type: 'boolean' },
      'update-url': { type: 'string' },
      'update-key': { type: 'string' },
      'check-reproducible': { type: 'boolean' },
    },
  });
  const only = values.only?.split(',');
  const known = ['dir', ...TARGETS.map(({ name }) => name)];
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no package "${unknown}", only ${known}`);
  return { ...values, only };
}

/** Everything is dated by the commit, with the usual modes: the same source, the same packages. */
async function dateBuild() {
  process.umask(0o022);
  if (process.env.SOURCE_DATE_EPOCH !== undefined) return;
  const { code, output } = await capture('git', ['log', '-1', '--format=%ct']);
  if (code !== 0) fail('This is no git checkout: say the date of the source in SOURCE_DATE_EPOCH.');
  process.env.SOURCE_DATE_EPOCH = output.trim();
}

/** The public half of a key, as package.json lists it. */
function publicText(secretKey) {
  const key = createPublicKey(secretKey);
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** What every step needs to know of this build. */
async function describe(options) {
  const { output = 'release', fast = false, 'set-version': version } = options;
  const secretKey = updateKey(options['update-key']);
  const updateUrl = options['update-url'];
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const executable = await ensureRuntime();
  const folder = path.resolve(root, output);
  const build = {
    ...{ executable, output: folder, fast, version, env: {}, feeds: new Map() },
    ...{ secretKey, updateUrl },
    updatePublicKey:
      updateUrl === undefined || secretKey === undefined ? undefined : publicText(secretKey),
  };
  const named = version ?? manifest.version;
  const dev = isForTests(build) ? '-dev' : '';
  return {
    ...build,
    name: manifest.name,
    fullVersion: named,
    artifact: (os, arch, ext) => `${manifest.name}-${named}${dev}-${os}-${arch}.${ext}`,
  };
}

/** Version of the Electron that the packages hold. */
function runtimeOf(build) {
  if (isForTests(build))
    return readFileSync(path.join(path.dirname(build.executable), 'version'), 'utf8').trim();
  const manifest = path.join(root, 'node_modules/electron/package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

async function buildTarget(build, { name, build: make, says }) {
  const before = packagesIn(build.output);
  const begun = performance.now();
  const label = says === undefined ? name : `${name} (${says})`;
  const reason = await make(build);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const made = packagesIn(build.output).filter((file) => !before.includes(file));
  say(
    reason === undefined
      ? `made ${label}: ${made.join(', ')} (${seconds} s)`
      : `not made: ${label}: ${reason}`,
  );
}

/** Makes the packages; answers what is wrong with them. */
async function makePackages(options) {
  await dateBuild();
  ensureBuild();
  const build = await describe(options);
  mkdirSync(build.output, { recursive: true });
  for (const name of packagesIn(build.output)) rmSync(path.join(build.output, name));
  dropFeeds(build.output);
  if (isForTests(build))
    say(`Electron ${runtimeOf(build)} of a substitute package is used: only for tests (-dev).`);
  const isLinux = process.platform === 'linux';
  const folder = isLinux ? await packFolder(build) : undefined;
  if (folder !== undefined) say(`packed ${folder}`);
  const wanted = TARGETS.filter(({ name }) => options.only?.includes(name) ?? true);
  for (const target of wanted) {
    if (target.linux && !isLinux) say(`not made: ${target.name}: built on Linux`);
    else await buildTarget(build, target);
  }
  if (options.only?.join() === 'dir') return [];
  const named = { ...build, version: build.fullVersion, runtime: runtimeOf(build) };
  say(`bill of materials: ${await writeBill(named)} components`);
  const { lines, over } = reportSizes(build, folder);
  for (const line of lines) say(line);
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const { names, isSigned } = signFeeds(build, { changelog, secretKey: build.secretKey });
  if (names.length > 0)
    say(`feeds: ${names.join(', ')} (${isSigned ? 'signed' : 'not signed: there is no key'})`);
  await writeChecksums(build.output);
  return over;
}

/** Does what the words of a command line ask for. */
export async function runPackaging(words) {
  try {
    const options = readOptions(words);
    const faults = options['check-reproducible']
      ? await compareBuilds(options, say)
      : await makePackages(options);
    for (const fault of faults) say(`fault: ${fault}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } catch (error) {
    fail(error.message);
  }
}
