import { type Command, Option } from 'commander';
import { isArchive } from '../../gaps/report/source-of-file.ts';
import { UsageFailure } from '../command-failure.ts';
import type { ImportOptions } from '../import/import-file.ts';
import { withSource } from './common-options.ts';

interface ImportWords extends ImportOptions {
  readonly out?: string;
  readonly format?: 'json' | 'csv' | 'html';
}

/** One plain file without words of the batch is imported for itself. */
async function isSingle(paths: readonly string[], words: ImportWords): Promise<boolean> {
  const [file, ...more] = paths;
  if (file === undefined || more.length > 0) return false;
  if (words.out !== undefined || words.format !== undefined || isArchive(file)) return false;
  const { statSync } = await import('node:fs');
  return !(statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

async function importPaths(paths: readonly string[], words: ImportWords): Promise<number> {
  const [file] = paths;
  if (file !== undefined && (await isSingle(paths, words))) {
    const { importFile } = await import('../import/import-file.ts');
    return importFile(file, words);
  }
  if (words.output !== undefined) {
    throw new UsageFailure('--output is for one file; use --out for a folder of drafts.');
  }
  if (words.ledger !== undefined) throw new UsageFailure('--ledger is for one file.');
  const { importBatch } = await import('../import/import-batch.ts');
  return await importBatch(paths, {
    ...words,
    ...(words.json && words.format === undefined ? { format: 'json' as const } : {}),
  });
}

/** `import …`: workflows of other programs. */
export function addImportWords(program: Command): void {
  withSource(program.command('import'))
    .description("turn other tools' exports into draft specs: files, folders, zip archives")
    .argument('<path...>', 'exported workflows, folders or zip archives')
    .option('--output <file>', 'write the draft of one file to a new file')
    .option(
      '--ledger <file>',
      'write what became of every part of one file: .json, .csv, or - for standard output',
    )
    .option('--out <folder>', 'write drafts, gaps and the report into a folder')
    .addOption(
      new Option('--format <name>', 'form of the report on several files').choices([
        'json',
        'csv',
        'html',
      ]),
    )
    .option('--json', 'print JSON: the draft of one file with its gaps, else the report')
    .action(async (paths: string[], words: ImportWords) => {
      process.exitCode = await importPaths(paths, words);
    });
}
