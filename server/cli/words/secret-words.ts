import { type Command, Option } from 'commander';
import { exitCode, withJson } from './common-options.ts';

const DATA = ['--data <dir>', 'data folder'] as const;
const PLACES = ['keychain', 'file'];

/** `secrets …`: what is stored on this computer for models, specs, imported steps and platforms. */
export function addSecretWords(program: Command): void {
  const group = program
    .command('secrets')
    .description('keys and other secrets that are stored on this computer');
  withJson(group.command('list'))
    .description('list them with where each is kept; never a value')
    .option(...DATA)
    .action(exitCode(async () => (await import('../secrets/secrets.ts')).list));
  withJson(group.command('set'))
    .description('store or replace one; its value is asked for, or read from standard input')
    .argument('<name>', 'as a variable is written, such as OPENAI_API_KEY')
    .addOption(new Option('--to <place>', 'where it is kept').choices(PLACES))
    .option(...DATA)
    .action(exitCode(async () => (await import('../secrets/secrets.ts')).set));
  withJson(group.command('remove'))
    .description('remove one')
    .argument('<name>', 'its name')
    .option(...DATA)
    .action(exitCode(async () => (await import('../secrets/secrets.ts')).remove));
  withJson(group.command('move'))
    .description('move secrets to another place; each old copy goes once the new one is proved')
    .argument('[names...]', 'their names')
    .option('--all', 'all that are kept elsewhere')
    .addOption(new Option('--to <place>', 'where to').choices(PLACES).makeOptionMandatory())
    .option(...DATA)
    .action(exitCode(async () => (await import('../secrets/secrets.ts')).move));
  withJson(group.command('passphrase'))
    .description('protect the encrypted file with a passphrase, or change it')
    .option('--remove', 'keep its key beside it again')
    .option(...DATA)
    .action(exitCode(async () => (await import('../secrets/passphrase.ts')).passphrase));
}
