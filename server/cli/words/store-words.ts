import type { Command } from 'commander';
import { exitCode, withJson, withStore } from './common-options.ts';

/** `stores …`: backups, the copies that updates make of the stores, and the way back to them. */
export function addStoreWords(program: Command): void {
  const group = program
    .command('stores')
    .description('backups of the data folder, copies that updates make, and the way back');
  withJson(withStore(group.command('list')))
    .description('list the stores with their copies, and the version that they can go back to')
    .action(exitCode(async () => (await import('../stores/stores.ts')).list));
  withJson(withStore(group.command('backup')))
    .description('make a backup while services may run: a data folder of its own')
    .requiredOption('--to <folder>', 'a new or an empty folder outside the data folder')
    .action(exitCode(async () => (await import('../stores/stores.ts')).backup));
  withJson(withStore(group.command('back')))
    .description('put the stores back as an earlier version left them; the newer ones are kept')
    .option('--to <version>', 'the version (without it: the latest one before this)')
    .action(exitCode(async () => (await import('../stores/stores.ts')).back));
  withJson(withStore(group.command('remove')))
    .description('remove every copy beside the stores; there is no way back then')
    .action(exitCode(async () => (await import('../stores/stores.ts')).remove));
}
