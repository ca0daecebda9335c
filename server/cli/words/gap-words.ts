import { type Command, Option } from 'commander';
import { UsageFailure } from '../command-failure.ts';
import type { FixOptions } from '../gaps/fix-gaps.ts';
import type { FixManyOptions } from '../gaps/fix-many.ts';
import { exitCode, withJson, withSource } from './common-options.ts';

type FixWords = Partial<FixOptions> & Partial<FixManyOptions>;

async function fix(file: string, more: readonly string[], words: FixWords): Promise<number> {
  const { draft, drafts } = words;
  if (drafts !== undefined && draft === undefined) {
    return (await import('../gaps/fix-many.ts')).fixMany([file, ...more], { ...words, drafts });
  }
  if (draft === undefined || drafts !== undefined) {
    throw new UsageFailure(
      'Name the draft to edit with --draft, or a folder of them with --drafts.',
    );
  }
  if (words.all === true || words.again === true || words.cause !== undefined) {
    throw new UsageFailure('--all, --cause and --again go with --drafts.');
  }
  return (await import('../gaps/fix-gaps.ts')).fixGaps(file, more, { ...words, draft });
}

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
    .description('answer gaps by an edit of a draft, or by one edit of many drafts')
    .argument('<file>', 'the exported workflow; with --drafts also folders and zip archives')
    .argument('[more...]', 'ids of gaps (without them: all that fit); with --drafts more exports')
    .option('--draft <file>', 'the draft to edit')
    .option('--drafts <folder>', 'edit the drafts that `import --out` wrote into this folder')
    .option('--all', 'with --drafts: answer every gap that the edit fits')
    .option('--cause <cause>', 'with --drafts: answer one cause of `gaps estate`, by id or type')
    .option('--again', 'with --drafts: make the repairs again that were made there before')
    .option(
      '--fix <edit>',
      'the edit to make (of one draft without it: the first that fits); write_function makes code',
    )
    .option('--set <name=value...>', 'a field of the edit')
    .addOption(
      new Option('--dry-run', 'show what would become of it and write nothing').implies({
        check: true,
      }),
    )
    .option('--check', 'the same as --dry-run')
    .action(exitCode(async () => fix));
  withJson(withSource(gaps.command('estate')))
    .description('who runs whom among exports, what they share, and which answer frees most')
    .argument('<path...>', 'exports, folders of them, zip archives')
    .action(exitCode(async () => (await import('../gaps/show-estate.ts')).showEstate));
}
