import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** `completion SHELL`, as help and reference show it. */
export function addCompletionWords(program: Command): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS));
}

/** True for the words that are served by `addLiveCompletion`. */
export function wantsCompletion(words: readonly string[]): boolean {
  return words[2] === 'completion' || words[2] === 'complete';
}

/**
 * `completion SHELL` with its script, and `complete -- WORDS…`, by which that script asks what may
 * come next. Loaded only for these two.
 */
export async function addLiveCompletion(program: Command): Promise<void> {
  const { default: addCompletion } = await import('@bomb.sh/tab/commander');
  addCompletion(program, { completionCommandName: 'completion' });
}
