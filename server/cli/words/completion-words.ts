import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/**
 * `completion SHELL` prints a script for the shell; the script asks `complete -- WORDS…` what may
 * come next.
 */
export function addCompletionWords(program: Command): void {
  const suggestions = async () => {
    const { default: completionsOf } = await import('@bomb.sh/tab/commander');
    return completionsOf(program, { completionCommandName: 'completion-script' });
  };
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(async (shell: string) => {
      (await suggestions()).setup(program.name(), program.name(), shell);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'words typed so far')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      (await suggestions()).parse(words);
    });
}
