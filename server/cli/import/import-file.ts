import path from 'node:path';
import { experimentalSource, sourceOfFile } from '../../gaps/report/source-of-file.ts';
import type { Analysis } from '../../importers/analysis.ts';
import { analyze } from '../../importers/analyze.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { printDocument, printJson, printLine, printNote } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeNewFile } from '../write-file.ts';
import { writeLedger } from './ledger-file.ts';

export interface ConvertOptions {
  readonly source?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Converts one export; a refusal is printed as JSON too where that was asked for. @throws CommandFailure */
export function convertFile(file: string, options: ConvertOptions): Analysis {
  const raw = readTextFile(file);
  const source = options.source ?? sourceOfFile(path.basename(file), raw);
  if (source === undefined) throw new UsageFailure('Name the tool it comes from with --source.');
  const outcome = analyze({
    source,
    raw,
    conversion: options.strict ? 'strict' : 'extended',
  });
  if (!outcome.ok) {
    if (options.json)
      printJson({ code: outcome.code, message: outcome.message, ...outcome.details });
    throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
  }
  const experiment = experimentalSource(source);
  if (experiment !== undefined) printNote(`The import from ${experiment} is experimental.`);
  return outcome;
}

export interface ImportOptions extends ConvertOptions {
  readonly output?: string;
  /** Where the ledger goes; `-` is standard output, in the place of the draft. */
  readonly ledger?: string;
}

/** `import FILE`: a source's export as a draft spec, on standard output or in a new file. */
export function importFile(file: string, options: ImportOptions): number {
  const isShown = options.ledger === '-';
  if (isShown && options.json) {
    throw new UsageFailure(
      '--json and --ledger - both want standard output; give --ledger a file.',
    );
  }
  const { spec_yaml, summary, gaps, suggestions, ledger } = convertFile(file, options);
  if (options.ledger !== undefined && ledger !== null) writeLedger(options.ledger, ledger);
  if (options.output !== undefined) writeNewFile(options.output, spec_yaml);
  if (options.json) printJson({ spec_yaml, summary, gaps, suggestions });
  else if (options.output === undefined) {
    if (!isShown) printDocument(spec_yaml);
  } else if (!isShown) {
    for (const gap of gaps) printLine(`${gap.severity}: ${gap.title}`);
    printLine(`✓ ${options.output}: ${summary.node_count} nodes, ${gaps.length} gaps`);
  }
  return 0;
}
