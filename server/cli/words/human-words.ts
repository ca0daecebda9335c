import type { Command } from 'commander';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import type { ResumeOptions, TaskListOptions } from '../human/human.ts';
import { wholeNumber, withConnection, withJson } from './common-options.ts';

/** `human …`: tasks that wait for a person. */
export function addHumanWords(program: Command): void {
  const group = program.command('human').description('tasks that wait for a person');
  withConnection(withJson(group.command('list')))
    .description('list tasks, the next to expire first')
    .option('--run <id>', 'only those of this run')
    .option('--status <status>', 'pending or escalated')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1000))
    .action(async (options: TaskListOptions) => {
      const { list } = await import('../human/human.ts');
      process.exitCode = await list(options);
    });
  withConnection(withJson(group.command('get')))
    .description('show a task')
    .argument('<id>', 'continuation')
    .action(async (id: string, options: AnswerOptions) => {
      const { get } = await import('../human/human.ts');
      process.exitCode = await get(id, options);
    });
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
    .action(async (id: string, options: ResumeOptions) => {
      const { resume } = await import('../human/human.ts');
      process.exitCode = await resume(id, options);
    });
}
