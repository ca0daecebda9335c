import { type Command, Option } from 'commander';
import { exitCode, withJson, withStore } from './common-options.ts';

/** `stores …`: backups, the copies that updates make of the stores, and the way back to them. */
export function addStoreWords(program: Command): void {
  const group = program
    .command('stores')
    .alias('store')
    .description(
      'backups, copies to a database and back, copies that updates make, and the way back',
    );
  withJson(withStore(group.command('list')))
    .description('list the stores with their copies, and the version that they can go back to')
    .action(exitCode(async () => (await import('../stores/stores.ts')).list));
  withJson(withStore(group.command('backup')))
    .description('make a backup while services may run: a data folder of its own')
    .requiredOption('--to <folder>', 'a new or an empty folder outside the data folder')
    .action(exitCode(async () => (await import('../stores/stores.ts')).backup));
  withJson(withStore(group.command('restore')))
    .description('make a data folder out of a backup, whole or not at all')
    .requiredOption('--from <folder>', 'the backup')
    .action(exitCode(async () => (await import('../stores/stores.ts')).restore));
  withJson(group.command('copy'))
    .description('copy a store between a data folder and a PostgreSQL, in either direction')
    .addOption(
      new Option('--store <name>', 'which one')
        .choices(['platform', 'dashboard', 'studio'])
        .makeOptionMandatory(),
    )
    .requiredOption('--from <place>', 'a data folder, postgres://…, or env:NAME for a variable')
    .requiredOption('--to <place>', 'an empty place: likewise')
    .action(exitCode(async () => (await import('../stores/copy.ts')).copy));
  withJson(withStore(group.command('back')))
    .description('put the stores back as an earlier version left them; the newer ones are kept')
    .option('--to <version>', 'the version (without it: the latest one before this)')
    .action(exitCode(async () => (await import('../stores/stores.ts')).back));
  withJson(withStore(group.command('remove')))
    .description('remove every copy beside the stores; there is no way back then')
    .action(exitCode(async () => (await import('../stores/stores.ts')).remove));
}
