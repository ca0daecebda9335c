import type { Command } from 'commander';
import { exitCode, wholeNumber, withConnection, withJson } from './common-options.ts';

/** `human …`: tasks that wait for a person. */
export function addHumanWords(program: Command): void {
  const group = program.command('human').description('tasks that wait for a person');
  withConnection(withJson(group.command('list')))
    .description('list tasks, the next to expire first')
    .option('--run <id>', 'only those of this run')
    .option('--status <status>', 'pending or escalated')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1000))
    .action(exitCode(async () => (await import('../human/human.ts')).list));
  withConnection(withJson(group.command('get')))
    .description('show a task')
    .argument('<id>', 'continuation')
    .action(exitCode(async () => (await import('../human/human.ts')).get));
  withConnection(withJson(group.command('resume')))
    .description('answer a task; give exactly one answer')
    .argument('<id>', 'continuation')
    .requiredOption('--request-id <id>', 'the request that is answered')
    .option('--approve', 'go on as asked')
    .option('--reject', 'go on with the refusal as text')
    .option('--edit <text>', 'go on with this text instead')
    .option('--provide <text>', 'give what was asked for')
    .option('--select <option>', 'choose one of the options')
    .option('--trust', 'trust the project for this command (on this computer; see: trust add)')
    .action(exitCode(async () => (await import('../human/human.ts')).resume));
}
