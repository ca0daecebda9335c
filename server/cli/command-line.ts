import { Command, CommanderError, Option } from 'commander';
import { findAppFiles } from '../host/app-root.ts';
import type { ServeOptions } from '../host/host-settings.ts';
import { CommandFailure } from './command-failure.ts';
import type { ImportOptions } from './import.ts';
import { printFailure } from './output.ts';
import type { SpecOptions } from './spec.ts';

const USAGE_ERROR = 2;

function addServe(program: Command): void {
  program
    .command('serve')
    .description('run all services and serve the workbench to a browser')
    .option('--data <folder>', 'folder that holds all state')
    .option('--host <address>', 'address to listen on')
    .option('--gateway-port <port>', 'port of the workbench (0 = any free one)')
    .option('--platform-port <port>', 'port of the run platform')
    .option('--dashboard-port <port>', 'port of the operations dashboard')
    .option('--studio-port <port>', 'port of the authoring studio')
    .option('--project <folder>', "tree of the studio's project default")
    .option('--trust', "let that tree's functions run")
    .option('--platform-url <url>', 'use this platform instead of the embedded one')
    .option('--platform-key <key>', 'its API key (or PLATFORM_API_KEY)')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.ts');
      await serve(options);
    });
}

const SPEC_COMMANDS = {
  validate: 'check a spec without building it',
  lint: 'check a spec, warnings included',
  compile: 'build a spec without running it',
  explain: 'say what a spec consists of',
  graph: "print the root workflow's nodes and edges",
} as const;

function addSpec(program: Command): void {
  const group = program.command('spec').description('check and look at spec files');
  for (const name of ['validate', 'lint', 'compile', 'explain', 'graph'] as const) {
    group
      .command(name)
      .description(SPEC_COMMANDS[name])
      .argument('<path>', 'spec file, YAML or JSON')
      .option('--json', 'print JSON')
      .option('--env <name>', 'environment')
      .action(async (file: string, options: SpecOptions) => {
        const commands = await import('./spec.ts');
        process.exitCode = commands[name](file, options);
      });
  }
}

function addImport(program: Command): void {
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
      const { importFile } = await import('./import.ts');
      process.exitCode = importFile(file, options);
    });
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  if (error instanceof CommandFailure) {
    printFailure(error.message);
    return 1;
  }
  throw error;
}

/**
 * The commands of decisions 29 that this version has, each loaded only when it is asked for.
 * Exit 0 success, 1 failure, 2 wrong usage; `serve` has its own (contract/platform.md 13).
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = new Command('specwright')
    .description('Author, run and operate agent workflows.')
    .version(`specwright ${findAppFiles().version}`, '-V, --version')
    .exitOverride();
  addServe(program);
  addSpec(program);
  addImport(program);
  for (const command of [...program.commands, ...program.commands.flatMap((c) => c.commands)]) {
    command.exitOverride();
  }
  try {
    await program.parseAsync([...words]);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}
