import { type Command, Option } from 'commander';
import { exitCode, withEnvironment, withJson, withStore } from './common-options.ts';

/** `bundle …`: a draft with what it names, for another machine. */
export function addBundleWords(program: Command): void {
  const group = program
    .command('bundle')
    .description('drafts with what they name, as one file for another machine');
  withJson(withEnvironment(group.command('pack', { isDefault: true })))
    .description('pack a draft with its functions, skills and files; the word pack may be left out')
    .argument('[path]', 'spec file or draft (without one: that of the project)')
    .option('-o, --output <file>', 'bundle to write (without one: here, by the name)')
    .option('--sign <file>', 'private key to sign it with (see: bundle keygen)')
    .action(exitCode(async () => (await import('../bundle/pack.ts')).pack));
  group
    .command('keygen')
    .description('make a key pair: NAME.key signs bundles, NAME.pub is for those who run them')
    .argument('<name>', 'name of the two files')
    .option('--json', 'print JSON')
    .action(exitCode(async () => (await import('../bundle/keygen.ts')).keygen));
  group
    .command('verify')
    .description('prove every file of a bundle and its signature, and say what is in it')
    .argument('<file>', 'bundle')
    .option('--key <file>', 'public key that it must be signed with')
    .option('--json', 'print JSON')
    .action(exitCode(async () => (await import('../bundle/verify.ts')).verify));
  withStore(group.command('run'))
    .description('run a bundle on this computer')
    .argument('<file>', 'bundle')
    .option('-i, --input <text>', 'what the run is given')
    .addOption(new Option('--target <what>', 'what to run').choices(['agent', 'workflow']))
    .option('--trust-key <file>', 'public key of its signer; its code runs then, and only then')
    .option('--trust', 'run its code whoever signed it')
    .option('--into <folder>', 'new folder to unpack it to, and to keep')
    .option('--follow', 'print the steps as they happen (on a terminal by itself)')
    .option('--no-follow', 'print the outcome only')
    .option('--json', 'print JSON')
    .action(exitCode(async () => (await import('../bundle/run-bundle.ts')).runBundle));
}
