import { type Command, InvalidArgumentError, Option } from 'commander';
import { notImplemented } from '../command-failure.ts';

/**
 * Reads an option's value that is a whole number within bounds; another one is wrong usage, before
 * anything is asked or started. The value stays as it was written.
 */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => string {
  return (text) => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return text;
    const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `${min} to ${max}`;
    throw new InvalidArgumentError(`It is a whole number, ${bounds}.`);
  };
}

/** An action that loads a command when it is asked for; the program ends with what that answers. */
export function exitCode<Words extends readonly unknown[]>(
  load: () => Promise<(...words: Words) => number | Promise<number>>,
) {
  return async (...given: readonly unknown[]): Promise<void> => {
    const command = await load();
    // The last is the `Command` itself; the words before it are those that its options declare.
    process.exitCode = await command(...(given.slice(0, -1) as unknown as Words));
  };
}

/** A port to listen on; 0 picks a free one. */
export const portNumber = wholeNumber(0, 65_535);

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

/** `--source` and `--strict` of a command that reads exports of other tools. */
export function withSource(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--source <name>',
        'the tool that made the export; crewai and flowise are experimental (without it: by the file)',
      ).choices(['n8n', 'dify', 'crewai', 'flowise']),
    )
    .option('--strict', 'convert without repairs');
}

/** `--env` of a command that resolves a project. */
export function withEnvironment(command: Command): Command {
  return command.option('--env <name>', 'environment');
}

/** `--data` of a command that works on a store itself. */
export function withStore(command: Command): Command {
  return command.option('--data <folder>', 'folder that holds all state');
}

/** `--open` and `--allow-host` of a command that listens. */
export function withDoor(command: Command): Command {
  return command
    .option('--open', 'ask for no key (on loopback only; every user of this machine gets in)')
    .addOption(
      new Option(
        '--allow-host <name>',
        'also answer to this host name (may be given again)',
      ).argParser((name: string, before: string[] | undefined) => [...(before ?? []), name]),
    );
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
