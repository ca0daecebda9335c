import type { Command } from 'commander';
import type { ProfileOptions } from '../config/profile-words.ts';
import { exitCode, withEnvironment, withJson } from './common-options.ts';

function addProjectWords(group: Command): void {
  withJson(group.command('show'))
    .description("print the project's configuration")
    .action(exitCode(async () => (await import('../config/project-words.ts')).show));
  group
    .command('init')
    .description('write .specwright/config.yaml into this folder')
    .option('--name <name>', "the project's name")
    .option('--force', 'write over one that is there')
    .action(exitCode(async () => (await import('../config/project-words.ts')).init));
  withJson(withEnvironment(group.command('resolve')))
    .description('say what a command in this folder would work with')
    .option('--spec <path>', 'spec to look at')
    .option('--trust', 'look as a run of a trusted folder does')
    .action(exitCode(async () => (await import('../config/project-words.ts')).resolveContext));
  withJson(withEnvironment(group.command('secrets')))
    .description('say which credentials a run finds by name; never a value')
    .option('--trust', 'look as a run of a trusted folder does')
    .action(exitCode(async () => (await import('../config/project-words.ts')).secrets));
  withEnvironment(group.command('render-spec'))
    .description("write a spec as the project's settings make it")
    .requiredOption('-o, --output <file>', 'file to write')
    .option('--spec <path>', 'spec file (without one: that of the project)')
    .action(async ({ spec, ...options }: { output: string; env?: string; spec?: string }) => {
      const { resolve } = await import('../spec/write-spec.ts');
      process.exitCode = resolve(spec, options);
    });
}

const ON_ONE_PROFILE = [
  ['use', 'use', '<name>', 'make a profile the active one'],
  ['show', 'show', '[name]', 'show a profile (without a name: the active one)'],
  ['delete', 'remove', '<name>', 'forget a profile'],
] as const;

function addProfileWords(group: Command): void {
  const profile = group.command('profile').description('saved platforms');
  withJson(profile.command('set'))
    .description('save a platform, or change it')
    .argument('<name>', 'profile')
    .requiredOption('--service-url <url>', 'its address')
    .option('--api-key <key>', 'its key (kept with the stored secrets, never printed)')
    .option('--api-key-file <file>', 'file that holds its key, - for standard input')
    .option('--activate', 'make it the active one (the first is by itself)')
    .option('--no-activate', 'leave the active one as it is')
    .action(exitCode(async () => (await import('../config/profile-words.ts')).set));
  withJson(profile.command('list'))
    .description('list saved platforms')
    .action(exitCode(async () => (await import('../config/profile-words.ts')).list));
  for (const [word, name, argument, description] of ON_ONE_PROFILE) {
    withJson(profile.command(word))
      .description(description)
      .argument(argument, 'profile')
      .action(async (given: string, options: ProfileOptions) => {
        const commands = await import('../config/profile-words.ts');
        process.exitCode = await commands[name](given, options);
      });
  }
}

/** `config …`: the project's settings and saved platforms. */
export function addConfigWords(program: Command): void {
  const group = program.command('config').description("a project's settings and saved platforms");
  addProjectWords(group);
  addProfileWords(group);
}
