import {
  diffCheckpoints,
  getReplay,
  getTrace,
  listCheckpoints,
} from '../../contract/platform/run-reads.ts';
import { cancelRun, continueRun, getRun, listRuns } from '../../contract/platform/runs.ts';
import { readerOf, required } from '../../platform-client/answers.ts';
import { type RunAnswer, readRunAnswer } from '../answers.ts';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { paintStatus, printFacts, printJson, printLine, printNote, shortText } from '../output.ts';
import { printTable } from '../table.ts';
import { followRun } from './follow-run.ts';
import { attend, printOutcome } from './run-spec.ts';
import { traceLine } from './trace-line.ts';

export interface ListOptions extends AnswerOptions {
  readonly status?: string;
  readonly workflow?: string;
  readonly session?: string;
  readonly query?: string;
  readonly limit?: string;
  readonly offset?: string;
}

const inputOf = (runId: string) => ({ params: { run_id: runId } });

function printMore(shown: number, total: number | null | undefined): void {
  if (total !== null && total !== undefined && total > shown) printNote(`${shown} of ${total}`);
}

/** `runs list`: newest first. */
export async function list(options: ListOptions): Promise<number> {
  const query = {
    status: options.status,
    workflow_name: options.workflow,
    session_id: options.session,
    q: options.query,
    limit: options.limit,
    offset: options.offset,
  };
  const raw = await withPlatform(options, (platform) => platform.ask(listRuns, { query }));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const answer = readerOf(listRuns)(raw);
  const runs = required(answer.runs, 'runs');
  printTable(runs, [
    { head: 'RUN', show: (run) => run.id },
    { head: 'STATUS', show: (run) => paintStatus(run.status ?? '') },
    { head: 'WORKFLOW', show: (run) => run.workflow_name ?? run.agent_name },
    { head: 'UPDATED', show: (run) => run.updated_at?.slice(0, 19) },
    { head: 'INPUT', show: (run) => run.input_text },
  ]);
  printMore(runs.length, answer.total);
  return 0;
}

function printRun(run: RunAnswer): void {
  const steps = run.visited_steps ?? [];
  const visited = steps.length > 0 ? steps : (run.visited_nodes ?? []);
  printFacts({
    run: run.run_id,
    status: paintStatus(run.status),
    workflow: run.workflow_name,
    agent: run.agent_name,
    session: run.session_id,
    started: run.started_at ?? run.created_at,
    ended: run.completed_at,
    path: visited.length > 0 ? visited.join(' → ') : null,
    tokens: run.usage?.total_tokens,
    task: run.continuation_id,
    error: run.error ? `${run.error.type ?? 'error'}: ${run.error.message ?? ''}` : null,
    output: run.output_text,
  });
}

/** `runs get`. */
export async function get(runId: string, options: AnswerOptions): Promise<number> {
  const raw = await withPlatform(options, (platform) => platform.ask(getRun, inputOf(runId)));
  if (options.json) printJson(raw);
  else printRun(readRunAnswer(raw));
  return 0;
}

export interface TraceOptions extends AnswerOptions {
  readonly follow?: boolean;
  readonly type?: string;
}

/** `runs trace`: every event that the platform keeps; `--follow` goes on until the run is settled. */
export async function trace(runId: string, options: TraceOptions): Promise<number> {
  if (options.follow) {
    return withPlatform(
      options,
      async (platform) => {
        await followRun(platform, runId, {
          onEvent: (event) => printLine(options.json ? JSON.stringify(event) : traceLine(event)),
        });
        return 0;
      },
      { background: true },
    );
  }
  const query = { limit: 1000, event_type: options.type };
  const raw = await withPlatform(options, (platform) =>
    platform.ask(getTrace, { ...inputOf(runId), query }),
  );
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const { total, ...page } = readerOf(getTrace)(raw);
  const events = required(page.events, 'events');
  const dropped = page.dropped ?? 0;
  for (const event of events) printLine(traceLine(event));
  printMore(events.length, total);
  if (dropped > 0) printNote(`${dropped} events were dropped when the trace was full`);
  return 0;
}

/** `runs checkpoints`. */
export async function checkpoints(runId: string, options: AnswerOptions): Promise<number> {
  const input = { ...inputOf(runId), query: { limit: 1000 } };
  const raw = await withPlatform(options, (platform) => platform.ask(listCheckpoints, input));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const { total, ...page } = readerOf(listCheckpoints)(raw);
  const found = required(page.checkpoints, 'checkpoints');
  printTable(found, [
    { head: '#', show: (item) => item.sequence },
    { head: 'TYPE', show: (item) => item.type },
    { head: 'STEP', show: (item) => item.step_id ?? item.node_id },
    { head: 'CREATED', show: (item) => item.created_at?.slice(0, 23) },
  ]);
  printMore(found.length, total);
  return 0;
}

export interface DiffOptions extends AnswerOptions {
  readonly fromSequence?: string;
  readonly toSequence?: string;
}

/** `runs checkpoint-diff`: without sequences, between the last two. */
export async function checkpointDifference(runId: string, options: DiffOptions): Promise<number> {
  const query = { from_sequence: options.fromSequence, to_sequence: options.toSequence };
  const input = { ...inputOf(runId), query };
  const raw = await withPlatform(options, (platform) => platform.ask(diffCheckpoints, input));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const diff = readerOf(diffCheckpoints)(raw);
  const from = required(diff.from_checkpoint, 'from_checkpoint');
  const to = required(diff.to_checkpoint, 'to_checkpoint');
  printLine(
    `#${from.sequence} ${from.type} → #${to.sequence} ${to.type}: ${diff.change_count ?? 0} changes`,
  );
  for (const { path: at, value } of diff.removed ?? []) printLine(`- ${at}: ${shortText(value)}`);
  for (const { path: at, value } of diff.added ?? []) printLine(`+ ${at}: ${shortText(value)}`);
  for (const { path: at, before, after } of diff.changed ?? []) {
    printLine(`~ ${at}: ${shortText(before)} → ${shortText(after)}`);
  }
  if (diff.truncated) printNote('more changes than are listed');
  return 0;
}

/** `runs replay`: what happened, checkpoint by checkpoint; executes nothing. */
export async function replay(runId: string, options: AnswerOptions): Promise<number> {
  const raw = await withPlatform(options, (platform) => platform.ask(getReplay, inputOf(runId)));
  if (options.json) {
    printJson(raw);
    return 0;
  }
  const answer = readerOf(getReplay)(raw);
  const context = answer.replay_context ?? {};
  printTable(required(answer.timeline, 'timeline'), [
    { head: '#', show: (item) => item.sequence },
    { head: 'TYPE', show: (item) => item.type },
    { head: 'STEP', show: (item) => item.step_id ?? item.node_id },
    { head: 'STATUS', show: (item) => item.status },
  ]);
  printFacts({
    'failed at': context.failed_step ?? context.failed_node,
    'can continue': context.can_continue ? 'yes' : 'no',
  });
  return 0;
}

/** `runs cancel`: a run that is over stays as it is. */
export async function cancel(runId: string, options: AnswerOptions): Promise<number> {
  const raw = await withPlatform(options, (platform) => platform.ask(cancelRun, inputOf(runId)));
  if (options.json) printJson(raw);
  else {
    const { run_id, status } = readRunAnswer(raw);
    printLine(`run ${run_id} ${status}`);
  }
  return 0;
}

/** `runs continue`: from the last checkpoint of a failed run, or over an approval that it waits for. */
export async function goOn(runId: string, options: AnswerOptions): Promise<number> {
  return withPlatform(
    options,
    async (platform) => {
      const raw = await platform.ask(continueRun, inputOf(runId));
      const { run_id } = readRunAnswer(raw);
      return printOutcome(platform, await attend(platform, run_id, options), options.json);
    },
    { background: true },
  );
}
