import { type Command, Option } from 'commander';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import {
  exitCode,
  wholeNumber,
  withConnection,
  withEnvironment,
  withJson,
} from './common-options.ts';

function addRun(program: Command): void {
  const command = program
    .command('run')
    .description('run a spec and wait for what comes of it; Ctrl-C cancels it')
    .argument('[path]', 'spec file (without one: that of the project)')
    .requiredOption('-i, --input <text>', 'what the run is given')
    .addOption(new Option('--target <what>', 'what to run').choices(['agent', 'workflow']))
    .option('--session <id>', 'session that the run belongs to')
    .option('--timeout <seconds>', 'time after which the run ends as timed_out')
    .option('--record [name]', 'keep the traffic of models and tools in .studio/recordings')
    .option('--replay <name>', 'answer models and tools from a recording')
    .option('--trust', 'trust the project for this command (on this computer; see: trust add)')
    .option('--follow', 'print the steps as they happen (on a terminal by itself)')
    .option('--no-follow', 'print the outcome only');
  withConnection(withEnvironment(withJson(command))).action(
    exitCode(async () => (await import('../runs/run-spec.ts')).run),
  );
}

const ON_ONE_RUN = [
  ['get', 'get', 'show a run'],
  ['checkpoints', 'checkpoints', "list a run's checkpoints"],
  ['replay', 'replay', 'show what happened, checkpoint by checkpoint; executes nothing'],
  ['cancel', 'cancel', 'cancel a run'],
  ['continue', 'goOn', 'go on from the last checkpoint of a failed run, or over an approval'],
] as const;

function addList(group: Command): void {
  withConnection(withJson(group.command('list')))
    .description('list runs, newest first')
    .option('--status <status>', 'only runs of this status')
    .option('--workflow <name>', 'only runs of this workflow')
    .option('--session <id>', 'only runs of this session')
    .option('-q, --query <text>', 'only runs whose output or error holds this text')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1000))
    .option('--offset <n>', 'leave out so many', wholeNumber(0, 10_000))
    .action(exitCode(async () => (await import('../runs/runs.ts')).list));
}

function addRerun(group: Command): void {
  withConnection(withJson(group.command('rerun')))
    .description('start a new run from a checkpoint, with an edited state if asked')
    .argument('<run-id>', 'run that it begins from')
    .requiredOption('--from-sequence <n>', 'number of the checkpoint', wholeNumber(1))
    .option('-i, --input <text>', 'text to go on with')
    .option('--next-step <id>', 'step or node to go on with')
    .option('--edits <file>', 'edits of the state, YAML or JSON')
    .option('--show', 'print what can be edited there; starts nothing')
    .option('--trust', 'trust the project for this command (on this computer; see: trust add)')
    .option('--follow', 'print the steps as they happen (on a terminal by itself)')
    .option('--no-follow', 'print the outcome only')
    .action(exitCode(async () => (await import('../runs/rerun.ts')).rerun));
}

/** `run` and `runs …`. */
export function addRunWords(program: Command): void {
  addRun(program);
  const group = program.command('runs').description('look at runs, and stop or continue them');
  addList(group);
  for (const [word, name, description] of ON_ONE_RUN) {
    withConnection(withJson(group.command(word)))
      .description(description)
      .argument('<run-id>', 'run')
      .action(async (runId: string, options: AnswerOptions) => {
        const commands = await import('../runs/runs.ts');
        process.exitCode = await commands[name](runId, options);
      });
  }
  addRerun(group);
  withConnection(withJson(group.command('trace')))
    .description("print a run's events")
    .argument('<run-id>', 'run')
    .option('--follow', 'go on until the run ends or waits for a person')
    .option('--type <event>', 'only events of this type')
    .action(exitCode(async () => (await import('../runs/runs.ts')).trace));
  withConnection(withJson(group.command('checkpoint-diff')))
    .description('compare two checkpoints (without numbers: the last two)')
    .argument('<run-id>', 'run')
    .option('--from-sequence <n>', 'number of the earlier one', wholeNumber(1))
    .option('--to-sequence <n>', 'number of the later one', wholeNumber(1))
    .action(exitCode(async () => (await import('../runs/runs.ts')).checkpointDifference));
}
