import type { Command } from 'commander';
import type { TrustOptions } from '../trust/trusted-folders.ts';
import { exitCode, withJson } from './common-options.ts';

const ON_ONE_FOLDER = [
  ['add', 'trust a folder, and say what that allows'],
  ['remove', 'trust a folder no longer'],
] as const;

/** `trust …`: the folders whose code this person lets run. */
export function addTrustWords(program: Command): void {
  const group = program
    .command('trust')
    .description('folders whose functions and programs may run, in every place that runs specs');
  withJson(group.command('list'))
    .description('list the trusted folders')
    .action(exitCode(async () => (await import('../trust/trusted-folders.ts')).list));
  for (const [word, description] of ON_ONE_FOLDER) {
    withJson(group.command(word))
      .description(description)
      .argument('[folder]', 'folder (without one: this one)')
      .action(async (folder: string | undefined, options: TrustOptions) => {
        const words = await import('../trust/trusted-folders.ts');
        process.exitCode = words[word](folder, options);
      });
  }
}
