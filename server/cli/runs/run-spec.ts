import { createRun } from '../../contract/platform/client-routes.ts';
import { getHumanTask } from '../../contract/platform/human-tasks.ts';
import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import { cancelRun } from '../../contract/platform/runs.ts';
import { type Answer, readerOf } from '../../platform-client/answers.ts';
import { type RunAnswer, readRunAnswer } from '../answers.ts';
import { UsageFailure } from '../command-failure.ts';
import type { ConnectionOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import type { PlatformSession } from '../connect/platform-session.ts';
import { onInterrupt } from '../interrupt.ts';
import { paintNote, printFailure, printJson, printLine, printNote } from '../output.ts';
import { enforceProjectPolicy, loadResolved, resolveSpec } from '../project/resolve-spec.ts';
import { builtSpec } from '../spec/local-answers.ts';
import { followRun, isSettled, readRun } from './follow-run.ts';
import { traceLine } from './trace-line.ts';

export interface RunOptions extends ConnectionOptions {
  readonly input: string;
  readonly target?: 'agent' | 'workflow';
  readonly env?: string;
  readonly session?: string;
  readonly timeout?: string;
  readonly record?: string | true;
  readonly replay?: string;
  readonly trust?: boolean;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const GOOD: ReadonlySet<string> = new Set(['completed', 'blocked']);

/** RunResult of platform.md 3.2 out of a run's record; a run that failed says why. */
function resultOf(run: RunAnswer) {
  return {
    run_id: run.run_id,
    status: run.status,
    output_text:
      run.status === 'blocked' ? 'Human intervention required.' : (run.output_text ?? null),
    human_intervention_required: run.status === 'blocked',
    continuation_id: run.continuation_id ?? null,
    metadata: run.metadata ?? {},
    ...(run.error ? { error: run.error } : {}),
  };
}

type AskedOf = Answer<typeof getHumanTask>['request'];

/** The word of `human resume` that a request of its type is answered with. */
function answerWord(request: AskedOf): string {
  switch (request?.type) {
    case 'correction':
      return '--edit TEXT';
    case 'freeform':
      return '--provide TEXT';
    case 'selection':
      return `--select ${JSON.stringify(request.options?.[0] ?? 'OPTION')}`;
    default:
      return '--approve';
  }
}

/** How to answer the task that a run waits for. */
async function adviseBlocked(platform: PlatformSession, run: RunAnswer): Promise<void> {
  if (!run.continuation_id) return;
  const params = { continuation_id: run.continuation_id };
  const { request } = readerOf(getHumanTask)(await platform.ask(getHumanTask, { params }));
  const prompt = request?.prompt ?? '';
  printLine(`run ${run.run_id} waits for a person${prompt === '' ? '' : `: ${prompt}`}`);
  const words = `--request-id ${request?.id ?? 'ID'} ${answerWord(request)}`;
  printLine(`  specwright human resume ${run.continuation_id} ${words}`);
}

/** Says what came of a run; answers the exit code. */
export async function printOutcome(
  platform: PlatformSession,
  run: RunAnswer,
  json: boolean | undefined,
): Promise<number> {
  if (json) printJson(resultOf(run));
  else if (run.status === 'blocked') await adviseBlocked(platform, run);
  else if (run.status === 'completed') printLine(run.output_text ?? '');
  if (GOOD.has(run.status)) return 0;
  const why = run.error?.message ? `: ${run.error.message}` : '';
  printFailure(`run ${run.run_id} ${run.status}${why}`);
  return 1;
}

/** Follows a run to its end; Ctrl-C cancels it. */
export async function attend(
  platform: PlatformSession,
  runId: string,
  options: { readonly follow?: boolean | undefined; readonly json?: boolean | undefined },
): Promise<RunAnswer> {
  const live = options.follow ?? (options.json !== true && process.stderr.isTTY === true);
  const interrupt = onInterrupt();
  try {
    const run = await followRun(platform, runId, {
      signal: interrupt.signal,
      onEvent: live ? (event) => printNote(paintNote('dim', traceLine(event))) : undefined,
    });
    if (isSettled(run.status) || !interrupt.signal.aborted) return run;
    printNote('cancelling…');
    await platform.ask(cancelRun, { params: { run_id: runId } });
    return await readRun(platform, runId);
  } finally {
    interrupt.dispose();
  }
}

function secondsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageFailure('--timeout is a number of seconds above 0.');
}

/** What the run does with the traffic of its models and tools. */
function recordingOf({ record, replay }: RunOptions): RecordingChoice | undefined {
  if (record !== undefined && replay !== undefined) {
    throw new UsageFailure('Give --record or --replay, not both.');
  }
  if (record === true) return { mode: 'record' };
  if (record !== undefined) return { mode: 'record', name: record };
  return replay === undefined ? undefined : { mode: 'replay', name: replay };
}

function requestOf(file: string | undefined, options: RunOptions) {
  const recording = recordingOf(options);
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  builtSpec(loaded);
  enforceProjectPolicy(resolved, loaded);
  return {
    input: options.input,
    spec: resolved.document ?? {},
    target: options.target ?? 'workflow',
    environment: resolved.environment ?? null,
    session_id: options.session ?? null,
    timeout: secondsOf(options.timeout),
    metadata: recording === undefined ? {} : { recording },
    async_mode: true,
  };
}

/**
 * `run`: sends the resolved spec and waits for what comes of it. The run is queued, so that it can be
 * followed and cancelled, and so that no time limit of a request ends it.
 */
export async function run(file: string | undefined, options: RunOptions): Promise<number> {
  const request = requestOf(file, options);
  return withPlatform(
    options,
    async (platform) => {
      const started = readRunAnswer(await platform.ask(createRun, { body: request }));
      const ended = await attend(platform, started.run_id, options);
      return printOutcome(platform, ended, options.json);
    },
    { background: true, trusted: options.trust ?? false },
  );
}
