// npm run package [-- options]: packs the program, and makes of it every package that this machine
// can; says in one line each what it made, or cannot make and why. Options:
//   --only NAMES           of dir, deb, rpm, AppImage, tar.gz, windows, macos; with commas
//   --output FOLDER        instead of release/
//   --set-version VERSION  instead of the one in package.json, to try an upgrade
//   --fast                 compresses little: for tests, not held to the budgets
//   --update-url URL       where this build looks for updates, instead of the place in package.json
//   --update-key FILE      the secret key that signs the feed (else SPECWRIGHT_UPDATE_KEY); with
//                          --update-url its public half is what this build believes: for tests
//   --check-reproducible   makes the packages twice, elsewhere and differently, and compares them
import { createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuild } from './build.mjs';
import { ensureRuntime } from './electron-runtime.mjs';
import { writeBill } from './packaging/bill.mjs';
import { dropFeeds, signFeeds, updateKey } from './packaging/feed.mjs';
import { isForTests, packFolder } from './packaging/folder.mjs';
import { packagesIn, reportSizes, writeChecksums } from './packaging/report.mjs';
import { compareBuilds } from './packaging/reproduce.mjs';
import { TARGETS } from './packaging/targets.mjs';
import { capture, ensureNodeModules, fail, root } from './toolchain.mjs';

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

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureNodeModules();
  try {
    const options = readOptions(process.argv.slice(2));
    const faults = options['check-reproducible']
      ? await compareBuilds(options, say)
      : await makePackages(options);
    for (const fault of faults) say(`fault: ${fault}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } catch (error) {
    fail(error.message);
  }
}
