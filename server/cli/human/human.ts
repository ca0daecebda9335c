import { resumeHumanTask } from '../../contract/platform/client-routes.ts';
import { getHumanTask, listHumanTasks } from '../../contract/platform/human-tasks.ts';
import { readerOf, required } from '../../platform-client/answers.ts';
import { CommandFailure } from '../command-failure.ts';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { printFacts, printFailure, printJson, printLine, printNote } from '../output.ts';
import { printTable } from '../table.ts';

export interface TaskListOptions extends AnswerOptions {
  readonly run?: string;
  readonly status?: string;
  readonly limit?: string;
}

function until(expiresAt: number | null | undefined): string | null {
  return typeof expiresAt === 'number' ? new Date(expiresAt * 1000).toISOString() : null;
}

/** `human list`: what waits for a person, the next to expire first. */
export async function list(options: TaskListOptions): Promise<number> {
  const query = {
    run_id: options.run,
    status: options.status,
    limit: options.limit,
    sort_by: 'expires_at',
    sort_order: 'asc',
  };
  const raw = await withPlatform(options, (platform) => platform.ask(listHumanTasks, { query }));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const answer = readerOf(listHumanTasks)(raw);
  const tasks = required(answer.tasks, 'tasks');
  const { total } = answer;
  printTable(tasks, [
    { head: 'TASK', show: (task) => task.id },
    { head: 'TYPE', show: (task) => task.pending_human_request?.type },
    { head: 'STATUS', show: (task) => task.status },
    { head: 'EXPIRES', show: (task) => until(task.expires_at) },
    { head: 'ASKED', show: (task) => task.pending_human_request?.prompt },
  ]);
  if (typeof total === 'number' && total > tasks.length) printNote(`${tasks.length} of ${total}`);
  return 0;
}

/** `human get`. */
export async function get(id: string, options: AnswerOptions): Promise<number> {
  const raw = await withPlatform(options, (platform) =>
    platform.ask(getHumanTask, { params: { continuation_id: id } }),
  );
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const { request, ...task } = readerOf(getHumanTask)(raw);
  printFacts({
    task: task.continuation_id,
    run: task.run_id,
    status: task.status,
    request: request?.id,
    type: request?.type,
    title: request?.title,
    prompt: request?.prompt,
    options: request?.options?.join(', '),
    default: request?.default_option,
    assignee: request?.assignee,
    expires: until(task.expires_at),
  });
  return 0;
}

export interface ResumeOptions extends AnswerOptions {
  readonly requestId: string;
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly edit?: string;
  readonly provide?: string;
  readonly select?: string;
  readonly trust?: boolean;
}

interface Answer {
  readonly decision: 'approved' | 'rejected' | 'edited' | 'provided' | 'selected';
  readonly content?: string;
  readonly selected_option?: string;
}

function answersOf(options: ResumeOptions): Answer[] {
  const answers: Answer[] = [];
  if (options.approve) answers.push({ decision: 'approved' });
  if (options.reject) answers.push({ decision: 'rejected' });
  if (options.edit !== undefined) answers.push({ decision: 'edited', content: options.edit });
  if (options.provide !== undefined) {
    answers.push({ decision: 'provided', content: options.provide });
  }
  if (options.select !== undefined) {
    answers.push({ decision: 'selected', selected_option: options.select });
  }
  return answers;
}

/** `human resume`: answers a task; the run goes on before the command ends. */
export async function resume(id: string, options: ResumeOptions): Promise<number> {
  const [answer, second] = answersOf(options);
  if (answer === undefined || second !== undefined) {
    throw new CommandFailure(
      'Give exactly one of --approve, --reject, --edit, --provide and --select.',
    );
  }
  const params = { continuation_id: id };
  const body = { request_id: options.requestId, ...answer };
  const raw = await withPlatform(
    options,
    (platform) => platform.ask(resumeHumanTask, { params, body }),
    {
      trusted: options.trust ?? false,
    },
  );
  const { run_id, output_text, ...rest } = readerOf(resumeHumanTask)(raw);
  const status = required(rest.status, 'status');
  if (options.json) printJson(raw);
  else if (status === 'completed') printLine(output_text ?? '');
  else printLine(`run ${run_id ?? ''} ${status}`);
  if (status === 'blocked' && !options.json) {
    printNote(`It waits for a person again: specwright human list --run ${run_id ?? ''}`);
  }
  if (status !== 'failed') return 0;
  printFailure(`run ${run_id ?? ''} failed`);
  return 1;
}
