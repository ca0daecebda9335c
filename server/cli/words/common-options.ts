import type { Command } from 'commander';

/** `--service-url`, `--profile` and the data folder of this computer (platform.md 13). */
export function withConnection(command: Command): Command {
  return command
    .option('--service-url <url>', 'platform to speak to')
    .option('--profile <name>', 'saved platform to speak to')
    .option('--data <folder>', 'data folder of the platform on this computer');
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON');
}

export function withEnvironment(command: Command): Command {
  return command.option('--env <name>', 'environment');
}
