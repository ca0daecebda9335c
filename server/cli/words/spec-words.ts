import type { Command } from 'commander';
import type { SpecOptions } from '../spec/check-spec.ts';
import { exitCode, withConnection, withEnvironment, withJson } from './common-options.ts';

const SPEC_FILE = 'spec file, YAML or JSON (without one: that of the project)';

const CHECKS = [
  ['validate', 'validate', 'check a spec without building it'],
  ['lint', 'lint', 'check a spec, warnings included'],
  ['compile', 'compile', 'check everything that a run needs, short of running'],
  ['explain', 'explain', 'say what a spec consists of'],
  ['policy-report', 'policyReport', 'say what a spec may do and who watches over it'],
  ['graph', 'graph', "print the root workflow's nodes and edges"],
] as const;

function addChecks(group: Command): void {
  for (const [word, name, description] of CHECKS) {
    const command = group.command(word).description(description).argument('[path]', SPEC_FILE);
    withConnection(withEnvironment(withJson(command)));
    if (word === 'compile') command.option('--trust', 'look as a run of a trusted folder does');
    command.action(async (file: string | undefined, options: SpecOptions) => {
      const commands = await import('../spec/check-spec.ts');
      process.exitCode = await commands[name](file, options);
    });
  }
}

function addWriters(group: Command): void {
  group
    .command('format')
    .description('bring a spec into the house form; comments and order stay')
    .argument('<path>', 'spec file')
    .option('-w, --write', 'change the file instead of printing it')
    .option('--check', 'only say whether it is in that form (exit 1 if not)')
    .action(exitCode(async () => (await import('../spec/write-spec.ts')).format));
  withEnvironment(group.command('resolve'))
    .description("write a spec as the project's settings make it")
    .argument('[path]', SPEC_FILE)
    .requiredOption('-o, --output <file>', 'file to write')
    .action(exitCode(async () => (await import('../spec/write-spec.ts')).resolve));
  withJson(group.command('migrate'))
    .description('bring a spec to version v1')
    .argument('<path>', 'spec file')
    .option('-o, --output <file>', 'file to write (without one: standard output)')
    .option('--check', 'only say whether there is something to change (exit 1 if so)')
    .action(exitCode(async () => (await import('../spec/write-spec.ts')).migrate));
}

function addBundles(group: Command): void {
  const bundle = group.command('bundle').description('specs that somebody vouches for');
  withJson(withEnvironment(bundle.command('sign')))
    .description('put a spec into a signed bundle')
    .argument('<path>', 'spec file')
    .requiredOption('-o, --output <file>', 'bundle to write')
    .requiredOption('--approved-by <name>', 'who approves the spec')
    .option('--key-env <variable>', 'variable that holds the key (default SERV_SPEC_SIGNING_KEY)')
    .action(exitCode(async () => (await import('../spec/bundle.ts')).sign));
  withJson(bundle.command('verify'))
    .description('check digest and signature of a bundle')
    .argument('<path>', 'bundle')
    .option('--key-env <variable>', 'variable that holds the key (default: as the bundle says)')
    .action(exitCode(async () => (await import('../spec/bundle.ts')).verifyBundle));
}

/** `spec …`: check, look at and change spec files. */
export function addSpecWords(program: Command): void {
  const group = program.command('spec').description('check, look at and change spec files');
  addChecks(group);
  addWriters(group);
  addBundles(group);
}
