import type { JsonObject } from '../../kernel/json.ts';
import { formatText } from '../../spec/edit/format.ts';
import { isKnownVersion, type Upgrade, upgradeDocument } from '../../spec/load/upgrade.ts';
import { emitYaml } from '../../spec/yaml/emit-yaml.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { printDiagnostics, printDocument, printJson, printLine, printNote } from '../output.ts';
import {
  documentOf,
  enforceProjectPolicy,
  loadResolved,
  resolveSpec,
} from '../project/resolve-spec.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeFile } from '../write-file.ts';

/** A document in the form that a file name stands for. */
export function documentText(document: JsonObject, file: string): string {
  return formatOfFile(file) === 'json'
    ? `${JSON.stringify(document, null, 2)}\n`
    : emitYaml(document);
}

/** `spec resolve`, `config render-spec`: the spec over its project's settings, as a file. */
export function resolve(
  file: string | undefined,
  options: { readonly output: string; readonly env?: string },
): number {
  const resolved = resolveSpec(file, options);
  const document = documentOf(resolved);
  enforceProjectPolicy(resolved, loadResolved(resolved));
  writeFile(options.output, documentText(document, options.output));
  const where = resolved.environment === undefined ? '' : ` for ${resolved.environment}`;
  printLine(`✓ ${options.output}${where}`);
  return 0;
}

export interface MigrateOptions {
  readonly output?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

function readDocument(file: string): JsonObject {
  const { value, diagnostics } = parseSpecText(readTextFile(file), formatOfFile(file));
  if (value !== undefined) return value;
  printDiagnostics(diagnostics, printNote);
  throw new CommandFailure(`${file} is no spec document.`);
}

function upgraded(file: string): Upgrade {
  const document = readDocument(file);
  const version = Object.hasOwn(document, 'version') ? document['version'] : undefined;
  if (isKnownVersion(version)) return upgradeDocument(document);
  throw new CommandFailure(`Unsupported spec version: ${JSON.stringify(version)}`);
}

function printChanges(applied: readonly string[], outcome: string): void {
  for (const line of applied) printLine(line);
  printLine(applied.length > 0 ? outcome : '✓ nothing to change');
}

/** `spec migrate`: to version v1; `--check` only says whether there is something to do (exit 1). */
export function migrate(file: string, options: MigrateOptions): number {
  const { spec, ...facts } = upgraded(file);
  const out = options.check ? undefined : options.output;
  if (out !== undefined) writeFile(out, documentText(spec, out));
  if (options.json) printJson(facts);
  else if (options.check) printChanges(facts.applied, `${file} is not of version v1`);
  else if (out !== undefined) printChanges(facts.applied, `✓ ${out}`);
  else printDocument(documentText(spec, file));
  return options.check && facts.changed ? 1 : 0;
}

export interface FormatOptions {
  readonly write?: boolean;
  readonly check?: boolean;
}

/** `spec format`: the house form; comments, order and quoting stay. */
export function format(file: string, options: FormatOptions): number {
  const text = readTextFile(file);
  readDocument(file);
  const formatted = formatText(text, formatOfFile(file));
  const changed = formatted !== text;
  if (options.check) {
    printLine(changed ? `${file} is not in the house form` : `✓ ${file}`);
    return changed ? 1 : 0;
  }
  if (!options.write) printDocument(formatted);
  else {
    if (changed) writeFile(file, formatted);
    printLine(`✓ ${file}${changed ? '' : ' (unchanged)'}`);
  }
  return 0;
}
