// All texts of window, shell and menus in one catalogue: resources/texts/en.json, by the files that say
// them. With --check nothing is written, and it fails when the catalogue is old, a text bypasses it, a
// message or a translation is broken, or a text is said before the language is known.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import ts from 'typescript';
import { earlyFiles, isEarly } from './texts/early.mjs';
import { EXCEPTIONS, exceptionFor, TABLES } from './texts/exceptions.mjs';
import { calleeOf, findTexts, literalText, nameOf } from './texts/find.mjs';
import { root } from './toolchain.mjs';

const FOLDER = path.join(root, 'resources/texts');
const LANGUAGES = ['de', 'zh'];
const check = process.argv.includes('--check');
const problems = [];
/** Key → { files, values, tags }: what the code says, and which variables it gives. */
const messages = new Map();

function sourceOf(file) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    kind,
  );
}

function placeOf(file, source, node) {
  return `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}

/** Variables, tags and whether it is a message at all: without values a text is taken as it stands. */
function needsOf(text, tags) {
  const names = new Set();
  const visit = (elements) => {
    for (const element of elements) {
      if (element.type !== 0 && element.type !== 7) names.add(element.value);
      if (element.type === 8) visit(element.children);
      for (const option of Object.values(element.options ?? {})) visit(option.value);
    }
  };
  visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: !tags }).getAst());
  return names;
}

function note(key, text, file, call) {
  const known = messages.get(key) ?? { text, files: new Set(), hasValues: false, tags: false };
  known.files.add(file);
  known.hasValues ||= call.hasValues;
  known.tags ||= call.tags;
  messages.set(key, known);
}

function valueNames(argument) {
  if (argument === undefined || !ts.isObjectLiteralExpression(argument)) return null;
  if (argument.properties.some((property) => ts.isSpreadAssignment(property))) return null;
  return argument.properties.map((property) => nameOf(property.name));
}

function readCall(file, source, node) {
  const callee = calleeOf(node);
  const first = callee === 'tAs' ? 1 : 0;
  const [context, literal, values] = [
    node.arguments[first - 1],
    node.arguments[first],
    node.arguments[first + 1],
  ];
  const text = literal === undefined ? null : literalText(literal);
  if (text === null || ts.isTemplateExpression(literal)) {
    problems.push(`${placeOf(file, source, node)}: the message is no literal`);
    return;
  }
  const tags = callee === 'rich';
  note(context === undefined ? text : `${literalText(context)}|${text}`, text, file, {
    hasValues: values !== undefined,
    tags,
  });
  if (values === undefined) return;
  const names = valueNames(values);
  try {
    const needed = needsOf(text, tags);
    const given = new Set(names ?? needed);
    const lacking = [...needed].filter((name) => !given.has(name));
    const spare = [...given].filter((name) => !needed.has(name));
    for (const name of lacking)
      problems.push(`${placeOf(file, source, node)}: ${name} is not given`);
    for (const name of spare)
      problems.push(`${placeOf(file, source, node)}: ${name} is not in the message`);
  } catch (error) {
    problems.push(`${placeOf(file, source, node)}: ${error.message}: ${text}`);
  }
}

function readTable(file, source, properties) {
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && properties.includes(nameOf(node.name))) {
      const text = literalText(node.initializer);
      if (text !== null) note(text, text, file, { hasValues: false, tags: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const used = new Set();
function readHard(file, source, { node, text }) {
  const exception = exceptionFor(file, text);
  if (exception !== undefined) used.add(exception);
  else
    problems.push(
      `${placeOf(file, source, node)}: a text that no catalogue knows: ${text.replaceAll(/\s+/g, ' ')}`,
    );
}

const early = earlyFiles(root, ['renderer/main.tsx', 'main/index.ts']);
const files = globSync(['renderer/**/*.{ts,tsx}', 'main/**/*.ts', 'preload/**/*.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('preload/texts/'))
  .toSorted();
for (const file of files) {
  const source = sourceOf(file);
  const table = TABLES.find((one) => one.file === file);
  if (table !== undefined) {
    readTable(file, source, table.properties);
    continue;
  }
  for (const found of findTexts(source)) {
    if (found.kind === 'hard') readHard(file, source, found);
    else {
      readCall(file, source, found.node);
      if (early.has(file) && isEarly(found.node))
        problems.push(
          `${placeOf(file, source, found.node)}: said before the language is known: make it a function`,
        );
    }
  }
}
for (const exception of EXCEPTIONS.filter((one) => !used.has(one)))
  problems.push(
    `scripts/texts/exceptions.mjs: nothing needs the line of ${exception.file} ${exception.text ?? ''}`,
  );

const keys = [...messages.keys()].toSorted();
const english = asLines(
  Object.fromEntries(keys.map((key) => [key, [...messages.get(key).files].toSorted()])),
);
const catalogue = path.join(FOLDER, 'en.json');

/** JSON with a line for each text, so that two branches meet in few of them. */
function asLines(entries) {
  const lines = Object.entries(entries)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
}

function checkTranslation(language, key, said) {
  const message = messages.get(key);
  if (message === undefined) {
    problems.push(`${language}.json: the code does not say: ${key}`);
    return;
  }
  if (!message.hasValues) return;
  try {
    const wanted = [...needsOf(message.text, message.tags)].toSorted().join(', ');
    const given = [...needsOf(said, message.tags)].toSorted().join(', ');
    if (wanted !== given)
      problems.push(`${language}.json: variables ${given} instead of ${wanted}: ${key}`);
  } catch (error) {
    problems.push(`${language}.json: ${error.message}: ${said}`);
  }
}

/** The room, and below the features of the window the feature. */
function placeOfFile(file) {
  const [first, second, third] = file.split('/');
  if (second === 'features') return `features/${third}`;
  return first === 'renderer' ? second : first;
}

function shares(language, catalogue) {
  const places = new Map();
  for (const key of keys)
    for (const place of new Set([...messages.get(key).files].map(placeOfFile))) {
      const [said, all] = places.get(place) ?? [0, 0];
      places.set(place, [said + (Object.hasOwn(catalogue, key) ? 1 : 0), all + 1]);
    }
  const lines = [...places]
    .toSorted()
    .map(([place, [said, all]]) => `  ${place} ${said} of ${all}`);
  return `${language}: ${Object.keys(catalogue).length} of ${keys.length}\n${lines.join('\n')}\n`;
}

for (const language of LANGUAGES) {
  const said = readJson(`${language}.json`);
  // What the code says no more goes with the text that it was for.
  const kept = check
    ? said
    : Object.fromEntries(Object.entries(said).filter(([key]) => messages.has(key)));
  for (const [key, text] of Object.entries(kept)) checkTranslation(language, key, text);
  if (!check) writeFileSync(path.join(FOLDER, `${language}.json`), asLines(kept));
  if (!check) process.stdout.write(shares(language, kept));
}
if (!check) writeFileSync(catalogue, english);
else if (readFileSync(catalogue, 'utf8') !== english)
  problems.push('resources/texts/en.json is not what the code says: run node scripts/texts.mjs');

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${keys.length} texts, ${problems.length} problems\n`);
process.exit(problems.length === 0 ? 0 : 1);
