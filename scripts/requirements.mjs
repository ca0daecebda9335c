// Writes the proof of each requirement into docs/requirements.md: the tests whose titles name it,
// or what is missing (docs/not-built.yaml). With --check it writes nothing and fails where the page
// is stale, where a row has neither and where a test names what is said not to be built; and where
// docs/screens.yaml does not say of a row of the dashboard on which page of the window it is met, or
// names one that the window does not have. Another argument names another tree to look at.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { root } from './toolchain.mjs';

const words = process.argv.slice(2);
const check = words.includes('--check');
const tree = path.resolve(root, words.find((word) => !word.startsWith('--')) ?? '.');
const FOLDERS = ['main', 'preload', 'renderer', 'server', 'test'];
const SKIPPED = /^test[/\\](?:fixtures|gates)[/\\]/;
const IDS = /\b(AS|OD|RP)-(\d{3})(?:(?: to |–)\1-(\d{3}))?/g;
const ROW = /^\| ((?:AS|OD|RP)-\d{3}) \|([^|]*)\|([^|]*)\|([^|]*)\|(?:[^|]*\|)?$/;

/** Members of a table of tests that become a part of their titles. */
const TITLES = new Set(['name', 'what', 'title']);

function tests() {
  return FOLDERS.flatMap((folder) => {
    try {
      return readdirSync(path.join(tree, folder), { recursive: true }).map((file) =>
        path.join(folder, file),
      );
    } catch (error) {
      if (error.code === 'ENOENT') return [];
      throw error;
    }
  })
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && !SKIPPED.test(file))
    .sort();
}

/** `test.each(table)` has the root `test`. */
function rootName(node) {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)
    ? rootName(node.expression)
    : '';
}

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** The first texts of the rows of a table that stands where it is used. */
function rowTitles(node) {
  if (!ts.isArrayLiteralExpression(node)) return [];
  return node.elements.map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row));
}

/** What of a node may be a title: of a test, of a group of tests, of a row of their table. */
function titleNodes(node) {
  if (ts.isPropertyAssignment(node))
    return TITLES.has(node.name.getText()) ? [node.initializer] : [];
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe)$/.test(rootName(node.expression))) {
    return [];
  }
  return node.arguments.slice(0, 1).flatMap((first) => [first, ...rowTitles(first)]);
}

function titlesOf(file, text) {
  const titles = [];
  const visit = (node) => {
    for (const title of titleNodes(node)) {
      if (title !== undefined && isText(title)) titles.push(title.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return titles;
}

/**
 * Requirement → names of the files whose tests name it; `AS-001 to AS-003` names three. Without
 * their folders, so that a file that moves leaves the page as it is.
 */
function proofs() {
  const found = new Map();
  for (const file of tests()) {
    const text = readFileSync(path.join(tree, file), 'utf8');
    if (text.search(IDS) < 0) continue;
    for (const [, part, first, last] of titlesOf(file, text).join('\n').matchAll(IDS)) {
      for (let n = Number(first); n <= Number(last ?? first); n += 1) {
        const id = `${part}-${String(n).padStart(3, '0')}`;
        found.set(id, (found.get(id) ?? new Set()).add(path.basename(file)));
      }
    }
  }
  return found;
}

const page = path.join(tree, 'docs/requirements.md');
const before = readFileSync(page, 'utf8');
const missing = new Map(
  Object.entries(parse(readFileSync(path.join(tree, 'docs/not-built.yaml'), 'utf8')) ?? {}),
);
const proved = proofs();
const faults = [];
const rows = new Set();

function proofOf(id) {
  rows.add(id);
  const files = [...(proved.get(id) ?? [])].sort();
  const reason = missing.get(id);
  if (reason !== undefined && files.length > 0) {
    faults.push(`${id}: docs/not-built.yaml says it is not built, ${files[0]} names it`);
  }
  if (reason === undefined && files.length === 0) {
    faults.push(`${id}: no test names it and docs/not-built.yaml does not say what is missing`);
  }
  return reason === undefined ? files.join(', ') : `not built: ${reason}`;
}

const after = before
  .split('\n')
  .map((line) => {
    const row = ROW.exec(line);
    if (row !== null)
      return `|${[` ${row[1]} `, ...row.slice(2, 5), ` ${proofOf(row[1])} `].join('|')}|`;
    return line
      .replace(/^\| id \| requirement \| spec \| contract \|$/, '$& proof |')
      .replace(/^\|---\|---\|---\|---\|$/, '$&---|');
  })
  .join('\n');

/** `/a, /b (part of it)`, or `none (reason)`. */
const SCREENS = /^(none|\/\S*(?:, \/\S*)*)(?: \(([^()]+)\))?$/;

/** The addresses that the window's router declares. */
function windowPages() {
  const folder = path.join(tree, 'renderer/app');
  const text = readdirSync(folder)
    .filter((file) => /routes\.tsx$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  return new Set([...text.matchAll(/\bpath: '([^']+)'/g)].map(([, page]) => page));
}

/** What is wrong with the place that is told of a row. */
function screenFaults(told, pages) {
  const [, places, words] = SCREENS.exec(String(told)) ?? [];
  if (places === undefined) return ['docs/screens.yaml is not of its form'];
  if (places === 'none') {
    return words === undefined ? ['docs/screens.yaml does not say why it has no page'] : [];
  }
  return places
    .split(', ')
    .filter((place) => !pages.has(place))
    .map((place) => `the window has no page ${place}`);
}

function checkScreens(screens) {
  const pages = windowPages();
  for (const id of rows) {
    if (!id.startsWith('OD-')) continue;
    const found =
      screens[id] === undefined
        ? ['docs/screens.yaml does not say where it is met']
        : screenFaults(screens[id], pages);
    faults.push(...found.map((fault) => `${id}: ${fault}`));
  }
  for (const id of Object.keys(screens).filter((name) => !rows.has(name))) {
    faults.push(`${id}: docs/screens.yaml names no row of docs/requirements.md`);
  }
}

checkScreens(parse(readFileSync(path.join(tree, 'docs/screens.yaml'), 'utf8')) ?? {});
for (const id of missing.keys()) {
  if (!rows.has(id)) faults.push(`${id}: docs/not-built.yaml names no row of docs/requirements.md`);
}
if (check && after !== before) {
  faults.push('docs/requirements.md is stale: node scripts/requirements.mjs writes it');
}
if (!check) writeFileSync(page, after);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
