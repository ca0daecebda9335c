import { type Command, Option } from 'commander';
import type { ImportOptions } from '../import.ts';

export function addImportWords(program: Command): void {
  program
    .command('import')
    .description("turn another tool's export into a draft spec")
    .argument('<file>', 'exported workflow')
    .addOption(
      new Option('--source <name>', 'the tool it comes from')
        .choices(['n8n', 'dify'])
        .makeOptionMandatory(),
    )
    .option('--strict', 'convert without repairs')
    .option('--output <file>', 'write the draft to a new file')
    .option('--json', 'print the draft with its gaps as JSON')
    .action(async (file: string, options: ImportOptions) => {
      const { importFile } = await import('../import.ts');
      process.exitCode = importFile(file, options);
    });
}
