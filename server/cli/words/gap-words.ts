import type { Command } from 'commander';
import { exitCode, withJson, withSource } from './common-options.ts';

/** `gaps …`: what did not carry over from other programs, and the edits that answer it. */
export function addGapWords(program: Command): void {
  const gaps = program
    .command('gaps')
    .description('what an export does not carry over, and edits that answer it');
  withJson(withSource(gaps.command('list', { isDefault: true })))
    .description(
      'the gaps of an export, each with the edits that fit; the word list may be left out',
    )
    .argument('<file>', 'an exported workflow')
    .option('--draft <file>', 'the draft as it is now (without it: as an import makes it)')
    .action(exitCode(async () => (await import('../gaps/list-gaps.ts')).listGaps));
  withJson(withSource(gaps.command('fix')))
    .description('answer gaps by an edit of the draft')
    .argument('<file>', 'the exported workflow that the draft was made from')
    .argument('[gap...]', 'ids of gaps (without them: all that the edit fits)')
    .requiredOption('--draft <file>', 'the draft to edit')
    .option('--fix <edit>', 'the edit to make (without it: the first that fits)')
    .option('--set <name=value...>', 'a field of the edit')
    .option('--check', 'say what would become of it and write nothing')
    .action(exitCode(async () => (await import('../gaps/fix-gaps.ts')).fixGaps));
  withJson(withSource(gaps.command('estate')))
    .description('who runs whom among exports, what they share, and which answer frees most')
    .argument('<path...>', 'exports, folders of them, zip archives')
    .action(exitCode(async () => (await import('../gaps/show-estate.ts')).showEstate));
}
