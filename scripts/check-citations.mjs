// Every citation in code, tests and documents leads to something that stands in this repository: a
// numbered section of docs/contract, a decided point, a record of docs/decisions, a row of
// docs/requirements.md. An argument names another tree to look at.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const tree = path.resolve(root, process.argv[2] ?? '.');
const SOURCE = /\.(?:ts|tsx|mjs|css|sql|md|yaml|yml)$/;
const SKIPPED =
  /^(?:test\/fixtures\/|docs\/contract\/|docs\/requirements\.md$|CHANGELOG\.md$|test\/gates\/gates\.test\.ts$)/;

const NUMBER = String.raw`\d+(?:\.\d+)*`;
/** `platform.md 3.4`, `spec-v1 6 and 7`, `importers 4.2, 5.1`. The list ends where no number follows. */
const SECTION = new RegExp(
  String.raw`\b(?:(platform|studio|dashboard)\.md|(importers|spec-v1)(?:\.md)?) (?:§ ?)?(${NUMBER}(?:(?:, | and | or |–| to )${NUMBER}(?![\w]))*)`,
  'g',
);
const DECIDED = /\bdecisions? (\d+(?:(?:, | and | or |–| to )\d+\b)*)/g;
const RECORD = /\b(?:decision )?record (\d{4})\b/g;
const REQUIREMENT = /\b(?:AS|OD|RP)-\d{3}\b/g;
const ISSUE = /\bissue \d+\b/g;

function read(file) {
  const full = path.join(tree, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : '';
}

function found(text, pattern) {
  return new Set([...text.matchAll(pattern)].map(([, name]) => name));
}

/** The numbers of a page's sections. */
function sectionsOf(page) {
  return found(read(`docs/contract/${page}.md`), /^#{2,4} (\d+(?:\.\d+)*)\.? /gm);
}

const pages = new Map(
  ['platform', 'studio', 'dashboard', 'importers', 'spec-v1'].map((page) => [
    page,
    sectionsOf(page),
  ]),
);
const decided = found(read('docs/contract/decisions.md'), /^(\d+)\. /gm);
const requirements = found(read('docs/requirements.md'), /^\| ((?:AS|OD|RP)-\d{3}) \|/gm);
const recordFolder = path.join(tree, 'docs/decisions');
const records = new Set(
  (existsSync(recordFolder) ? readdirSync(recordFolder) : []).map((name) => name.slice(0, 4)),
);

function numbersOf(list) {
  return list.match(/\d+(?:\.\d+)*/g) ?? [];
}

/** Each kind of citation: how it looks, and the names in a match that lead nowhere. */
const KINDS = [
  [
    SECTION,
    ([, named, plain, list]) => {
      const page = named ?? plain;
      return numbersOf(list)
        .filter((number) => !pages.get(page).has(number))
        .map((number) => `${page} ${number}`);
    },
  ],
  [
    DECIDED,
    ([, list]) =>
      numbersOf(list)
        .filter((number) => !decided.has(number) && !records.has(number))
        .map((number) => `decisions ${number}`),
  ],
  [RECORD, ([text, number]) => (records.has(number) ? [] : [text])],
  [REQUIREMENT, ([text]) => (requirements.has(text) ? [] : [text])],
  [ISSUE, ([text]) => [text]],
];

/** The citations of a text that lead nowhere, each with its place in the text. */
function deadIn(text) {
  return KINDS.flatMap(([pattern, deadOf]) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      deadOf(match).map((citation) => ({ at: match.index, citation })),
    ),
  );
}

function sources() {
  const listed = process.argv[2]
    ? readdirSync(tree, { recursive: true }).map((name) => name.split(path.sep).join('/'))
    : execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
        cwd: tree,
        encoding: 'utf8',
      }).split('\n');
  return listed.filter(
    (file) => SOURCE.test(file) && !SKIPPED.test(file) && existsSync(path.join(tree, file)),
  );
}

let dead = 0;
for (const file of sources()) {
  const text = read(file);
  for (const { at, citation } of deadIn(text)) {
    dead += 1;
    const line = text.slice(0, at).split('\n').length;
    process.stdout.write(`${file}:${line}: "${citation}" leads nowhere\n`);
  }
}
process.exit(dead === 0 ? 0 : 1);
