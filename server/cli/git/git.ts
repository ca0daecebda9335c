import { spawnSync } from 'node:child_process';
import { systemCode } from '../../kernel/system-code.ts';
import { CommandFailure } from '../command-failure.ts';

interface GitAnswer {
  readonly code: number;
  readonly text: string;
  readonly problem: string;
}

/** What git answers here. @throws CommandFailure when there is no git. */
function askGit(words: readonly string[]): GitAnswer {
  const { error, status, stdout, stderr } = spawnSync('git', words, { encoding: 'utf8' });
  if (error !== undefined) {
    const why = systemCode(error) === 'ENOENT' ? 'is not installed' : 'cannot be started';
    throw new CommandFailure(`git ${why} on this computer.`);
  }
  return { code: status ?? 1, text: stdout, problem: stderr.trim() };
}

/** What git answers without its last line break; undefined when it says no. @throws CommandFailure */
export function tryGit(words: readonly string[]): string | undefined {
  const { code, text } = askGit(words);
  return code === 0 ? text.replace(/\r?\n$/, '') : undefined;
}

/** As {@link tryGit}, where a no is a failure. @throws CommandFailure */
export function runGit(words: readonly string[]): string {
  const { code, text, problem } = askGit(words);
  if (code === 0) return text;
  throw new CommandFailure(`git ${words[0] ?? ''} failed: ${problem}`);
}
