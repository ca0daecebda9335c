import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isObject } from '../../kernel/json.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { tryGit } from './git.ts';
import type { Scope } from './git-settings.ts';

const BEGIN = '# specwright: specs by what they say (written by "specwright git-setup")';
const END = '# specwright: end';

/** Names that specs have everywhere. */
const USUAL = ['spec.yaml', 'spec.yml', 'spec.json', '*.spec.yaml', '*.spec.yml', '*.spec.json'];
const MAX_LOOKED_AT = 5000;
const MAX_BYTES = 1024 * 1024;

/** The file of attributes; one work tree's, or that of the person. @throws CommandFailure */
export function attributesFile(scope: Scope): string {
  if (scope === '--local') {
    const root = tryGit(['rev-parse', '--show-toplevel']);
    if (root !== undefined && root !== '') return path.join(root, '.gitattributes');
    throw new CommandFailure(
      'This folder is in no git work tree. Go to one, or set it up for all with --global.',
    );
  }
  const set = tryGit(['config', '--global', '--type=path', '--get', 'core.attributesFile']);
  if (set !== undefined && set !== '') return set;
  const config = process.env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config');
  return path.join(config, 'git', 'attributes');
}

function isSpec(file: string): boolean {
  try {
    if (statSync(file).size > MAX_BYTES) return false;
    const { value } = parseWholeText(readFileSync(file, 'utf8'), formatOfFile(file));
    return typeof value?.['version'] === 'string' && isObject(value['agent']);
  } catch {
    return false;
  }
}

function isUsual(name: string): boolean {
  return USUAL.includes(name) || /\.spec\.(?:yaml|yml|json)$/.test(name);
}

/** A path as a pattern of attributes that means that one file. */
function patternOf(file: string): string {
  const pattern = `/${file.replaceAll(/[\\*?[]/g, (sign) => `\\${sign}`)}`;
  return /[\s"]/.test(pattern)
    ? `"${pattern.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`
    : pattern;
}

/** The specs of a work tree that have other names than the usual ones. @throws CommandFailure */
function otherSpecs(root: string): readonly string[] {
  const listed = tryGit(['-C', root, 'ls-files', '-z', '--', '*.yaml', '*.yml', '*.json']) ?? '';
  return listed
    .split('\0')
    .filter((file) => file !== '' && !isUsual(path.basename(file)))
    .slice(0, MAX_LOOKED_AT)
    .filter((file) => isSpec(path.join(root, file)))
    .map(patternOf);
}

/** The lines that say which files are specs. @throws CommandFailure */
export function attributeLines(
  scope: Scope,
  file: string,
  patterns: readonly string[],
): readonly string[] {
  const found = scope === '--local' ? otherSpecs(path.dirname(file)) : [];
  const all = patterns.length > 0 ? patterns : [...USUAL, ...found];
  return [BEGIN, ...all.map((pattern) => `${pattern} diff=specwright merge=specwright`), END];
}

/** A text of attributes with these lines in place of those that were written before. */
export function withLines(text: string, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const all = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const begin = all.indexOf(BEGIN);
  const end = all.indexOf(END, begin);
  const known = begin >= 0 && end >= 0;
  const before = known ? all.slice(0, begin) : all;
  const made = [...before, ...lines, ...(known ? all.slice(end + 1) : [])];
  return made.length === 0 ? '' : made.join(eol) + eol;
}

/** The text of a file; empty for one that is not there. @throws CommandFailure */
export function attributesIn(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  } catch {
    throw new CommandFailure(`${file} cannot be read.`);
  }
}
