import type { Command } from 'commander';
import { exitCode, wholeNumber, withJson } from './common-options.ts';

/** `diff`, `merge`, `git-setup`: specs by what they say, in git too. */
export function addGitWords(program: Command): void {
  withJson(program.command('diff'))
    .description('say what the second of two specs does otherwise, gained privileges first')
    .argument('<earlier>', 'spec file')
    .argument('<later>', 'spec file')
    .option('--markdown', 'print Markdown, for a review')
    .option('--lines', 'print the lines that differ too, also of texts that are no specs')
    .option('--name <path>', 'what the file is called, when the two have other names')
    .option('--exit-code', 'exit 1 when a run can tell the difference')
    .action(exitCode(async () => (await import('../spec/compare-files.ts')).diff));
  program
    .command('merge')
    .description(
      'merge what two writers made of one spec by what it says: exit 0 when all went together, 1 when something is left to decide, 129 when nothing could be merged',
    )
    .argument('<base>', 'spec file that both began with')
    .argument('<ours>', 'spec file whose comments and layout stay')
    .argument('<theirs>', 'spec file whose changes are taken over')
    .option('-o, --output <file>', 'file to write (without one: standard output)')
    .option('--name <path>', 'what the file is called, when the three have other names')
    .option('--marker-size <n>', 'signs of a conflict mark (default 7)', wholeNumber(1, 1000))
    .action(exitCode(async () => (await import('../spec/merge-files.ts')).mergeFiles));
  program
    .command('git-setup')
    .description('let git compare and merge specs by what they say; shows what it writes')
    .argument(
      '[patterns...]',
      'which files are specs (without any: the usual names, and those found)',
    )
    .option('--global', 'for all repositories of this person')
    .option('--remove', 'take it away again')
    .option('--dry-run', 'only show what would be written')
    .action(exitCode(async () => (await import('../git/git-setup.ts')).gitSetup));
}
