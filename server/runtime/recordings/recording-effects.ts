import {
  RECORDING_FORMAT,
  type RecordingChoice,
  type RecordingEntry,
  recordingEntry,
} from '../../contract/platform/recordings.ts';
import type { EffectResult, RunEvent } from '../../engine/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { EffectFailure, type EffectRunner } from '../run-effects.ts';
import { isRecorded, type RecordedEffect, recordedRequest, redacted } from './recorded-request.ts';
import { createRecordingWriter, readRecording, recordingFailure } from './recording-file.ts';
import { createReplay, type Replay } from './replay.ts';

/** A run, and where its project tree is. */
export interface RunPlace {
  readonly root: string;
  readonly runId: string;
  readonly clock: Clock;
}

interface RecordingSetup extends RunPlace {
  readonly choice: RecordingChoice;
}

function outcomeOf(event: RunEvent): object {
  if (event.type === 'effect_failed') return { error: event.error };
  if (event.type !== 'effect_succeeded') return {};
  const { result } = event;
  return result.kind === 'model' ? { answer: result.answer } : { value: result.value };
}

function entryOf(effect: RecordedEffect, event: RunEvent): RecordingEntry {
  return recordingEntry.parse({
    ...recordedRequest(effect),
    effect_id: effect.id,
    outcome: redacted(outcomeOf(event)),
  });
}

/** The events that tell that a recording failed, and not what was called. */
const RECORDING_FAILED = new WeakSet<RunEvent>();

/** Whether an event of a runner tells that its recording failed. */
export function tellsOfRecording(event: RunEvent): boolean {
  return RECORDING_FAILED.has(event);
}

function failed(effect: RecordedEffect, error: unknown, at: number): RunEvent {
  const failure =
    error instanceof EffectFailure
      ? error
      : recordingFailure('recording_failed', 'the call cannot be recorded.');
  const { message, facts } = failure;
  const event: RunEvent = {
    type: 'effect_failed',
    at,
    effect_id: effect.id,
    error: { message, ...facts },
  };
  RECORDING_FAILED.add(event);
  return event;
}

function recordingRunner(runner: EffectRunner, setup: RecordingSetup, name: string): EffectRunner {
  const { clock, root, runId } = setup;
  const writer = createRecordingWriter(root, {
    format: RECORDING_FORMAT,
    name,
    run_id: runId,
    recorded_at: toTimestamp(clock.now()),
  });
  return {
    answerNow: (effect) => runner.answerNow(effect),
    async perform(effect, signal, state) {
      const event = await runner.perform(effect, signal, state);
      if (!isRecorded(effect) || signal.aborted) return event;
      try {
        await writer.append(entryOf(effect, event));
        return event;
      } catch (error) {
        return failed(effect, error, clock.now());
      }
    },
  };
}

function resultOf(outcome: Exclude<RecordingEntry['outcome'], { error: unknown }>): EffectResult {
  if ('value' in outcome) return { kind: 'value', value: outcome.value };
  const { text, tool_calls, usage, warning } = outcome.answer;
  const calls = tool_calls.map(({ id, name, arguments: args, provider_metadata: kept }) => {
    return {
      id,
      name,
      arguments: args,
      ...(kept === undefined ? {} : { provider_metadata: kept }),
    };
  });
  const answer = {
    text,
    tool_calls: calls,
    replayed: true as const,
    ...(usage === undefined ? {} : { usage }),
    ...(warning === undefined ? {} : { warning }),
  };
  return { kind: 'model', answer };
}

function replayed(effect: RecordedEffect, entry: RecordingEntry, at: number): RunEvent {
  const { outcome } = entry;
  if (!('error' in outcome)) {
    return { type: 'effect_succeeded', at, effect_id: effect.id, result: resultOf(outcome) };
  }
  const { message, type, timed_out, retryable, retry_after_seconds: wait } = outcome.error;
  const error = {
    message,
    ...(type === undefined ? {} : { type }),
    ...(timed_out === undefined ? {} : { timed_out }),
    ...(retryable === undefined ? {} : { retryable }),
    ...(wait === undefined ? {} : { retry_after_seconds: wait }),
  };
  return { type: 'effect_failed', at, effect_id: effect.id, error };
}

/** Answers the calls of models and tools from a recording, each once. */
export function replayingRunner(runner: EffectRunner, setup: RunPlace, name: string): EffectRunner {
  const { clock, root } = setup;
  let replay: Promise<Replay> | undefined;
  return {
    answerNow: (effect) => runner.answerNow(effect),
    async perform(effect, signal, state) {
      if (!isRecorded(effect)) return runner.perform(effect, signal, state);
      try {
        replay ??= readRecording(root, name).then((entries) => createReplay(name, entries));
        return replayed(effect, (await replay).take(effect), clock.now());
      } catch (error) {
        return failed(effect, error, clock.now());
      }
    },
  };
}

/**
 * Performs effects with the traffic of models and tools recorded to a file of the project, or taken
 * from one without calling anybody; functions and timers run as ever.
 */
export function withRecording(runner: EffectRunner, setup: RecordingSetup): EffectRunner {
  const { choice, runId } = setup;
  switch (choice.mode) {
    case 'off':
      return runner;
    case 'record':
      return recordingRunner(runner, setup, choice.name ?? runId);
    case 'replay':
      return replayingRunner(runner, setup, choice.name);
  }
}
