import { CommanderError } from 'commander';
import { findAppFiles } from '../host/app-root.ts';
import { keychainHangs } from '../runtime/keychain.ts';
import { CommandFailure, UsageFailure } from './command-failure.ts';
import { endProcess } from './end-process.ts';
import { printFailure, printNote } from './output.ts';
import { createProgram } from './program.ts';
import { endWithReader } from './readers.ts';
import {
  addCompletionWords,
  addLiveCompletion,
  wantsCompletion,
} from './words/completion-words.ts';

const FAILURE = 1;
const USAGE_ERROR = 2;

/** What a failure of the platform or of a start means, in lines; undefined for a defect. */
async function explained(error: unknown): Promise<readonly string[] | undefined> {
  const { describeFailure } = await import('./describe-failure.ts');
  return describeFailure(error);
}

async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  if (error instanceof CommandFailure || error instanceof UsageFailure) {
    printFailure(error.message);
    return error instanceof UsageFailure ? USAGE_ERROR : FAILURE;
  }
  const lines = await explained(error);
  if (lines === undefined) throw error;
  const [message = 'failed', ...more] = lines;
  printFailure(message);
  for (const line of more) printNote(`  ${line}`);
  return FAILURE;
}

/**
 * Carries out one command line. Exit 0 success, 1 failure, 2 wrong usage; the services have their
 * own codes (contract/platform.md 13).
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  endWithReader();
  try {
    const program = createProgram(findAppFiles().version);
    if (wantsCompletion(words)) await addLiveCompletion(program);
    else addCompletionWords(program);
    await program.parseAsync([...words]);
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
  // Commands that end have said how; services go on.
  if (process.exitCode !== undefined && keychainHangs()) await endProcess(Number(process.exitCode));
}
