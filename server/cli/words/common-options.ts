import type { Command } from 'commander';
import { notImplemented } from '../command-failure.ts';

/** `--service-url`, `--profile` and the data folder of this computer (platform.md 13). */
export function withConnection(command: Command): Command {
  return command
    .option('--service-url <url>', 'platform to speak to')
    .option('--profile <name>', 'saved platform to speak to')
    .option('--data <folder>', 'data folder of the platform on this computer');
}

/** `--json` of a command that can print its answer whole. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** `--env` of a command that resolves a project. */
export function withEnvironment(command: Command): Command {
  return command.option('--env <name>', 'environment');
}

/** `--data` of a command that works on a store itself. */
export function withStore(command: Command): Command {
  return command.option('--data <folder>', 'folder that holds all state');
}

/** Commands of the contract that say honestly that they are missing. */
export function addMissing(group: Command, words: readonly string[]): void {
  for (const word of words) {
    group
      .command(word)
      .description('not built yet')
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw notImplemented(
          `${group.parent?.parent ? `${group.parent.name()} ` : ''}${group.name()} ${word}`,
        );
      });
  }
}
