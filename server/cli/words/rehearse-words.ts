import type { Command } from 'commander';
import type { RehearseOptions } from '../rehearse/rehearse.ts';
import { withJson } from './common-options.ts';

/** `rehearse`: an imported workflow, run on the spot. */
export function addRehearse(program: Command): void {
  withJson(program.command('rehearse'))
    .description("run another tool's export with the items of its trigger, and print every step")
    .argument('<export>', 'exported workflow; what is pinned in it answers for its nodes')
    .option('--trigger <name>', 'node that begins (without it: the pinned trigger, else the first)')
    .option('--items <file>', 'JSON list of the items that it gives (without it: its pinned ones)')
    .option('--with <file...>', 'exported workflows that it calls, found by their ids and names')
    .option(
      '--mock <file>',
      'JSON object: what nodes give instead of running, lists of items by name',
    )
    .action(async (file: string, options: RehearseOptions) => {
      const { rehearse } = await import('../rehearse/rehearse.ts');
      process.exitCode = await rehearse(file, options);
    });
}
