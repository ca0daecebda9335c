import { existsSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { threadFile } from '../../store/thread-file.ts';

// The modules that run inside of the interpreter. A checkout has their sources and those of the
// libraries; a build has each entry as one bundle with its chunks beside it.

function luxonFile(): string {
  const main = createRequire(import.meta.url).resolve('luxon');
  return path.join(main.slice(0, main.lastIndexOf('luxon')), '../es6/luxon.mjs');
}

function jinjaFile(): string {
  const main = createRequire(import.meta.url).resolve('@huggingface/jinja');
  return path.join(path.dirname(main), 'index.js');
}

function jmesPathText(): string {
  const text = readFileSync(createRequire(import.meta.url).resolve('jmespath'), 'utf8');
  return `const exports = {};\n${text}\nexport const search = exports.search;`;
}

/** The library as browsers get it: the one for programs looks for files. */
function alaSqlText(): string {
  const main = createRequire(import.meta.url).resolve('alasql');
  const text = readFileSync(path.join(path.dirname(main), 'alasql.min.js'), 'utf8');
  return `const exports = {};\nconst module = { exports };\n${text}\nexport default module.exports;`;
}

/** The file of an entry. */
export function guestEntry(name: string): string {
  const folder = import.meta.dirname;
  const file = threadFile(name, path.join(folder, '../guest')) ?? threadFile(name, folder);
  if (file === undefined) throw new Error(`the program has no ${name}`);
  return file;
}

/** The whole name of what a module imports. */
export function guestModuleName(base: string, asked: string): string {
  return /^\.{1,2}\//.test(asked) ? path.resolve(path.dirname(base), asked) : asked;
}

/** The bundler's helper asks for it at its start and calls nothing of it here. */
const NODE_MODULE = 'export const createRequire = () => undefined;';

/** The text of a module. */
export function guestModule(name: string): string {
  if (name === 'node:module') return NODE_MODULE;
  if (name === 'luxon') return readFileSync(luxonFile(), 'utf8');
  if (name === '@huggingface/jinja') return readFileSync(jinjaFile(), 'utf8');
  if (name === 'jmespath') return jmesPathText();
  if (name === 'alasql') return alaSqlText();
  if (!existsSync(name)) throw new Error(`the program has no ${path.basename(name)}`);
  const text = readFileSync(name, 'utf8');
  return name.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}
