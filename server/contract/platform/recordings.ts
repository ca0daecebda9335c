import { z } from 'zod';
import type { Json, JsonObject } from '../../kernel/json.ts';

/** The first word of every recording: format and version. */
export const RECORDING_FORMAT = 'specwright-recording/1';

/** Names of recordings: a file name without its end, the same on every operating system. */
export const recordingName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/**
 * What a run does with the traffic of its models and tools: `metadata.recording` of a create request.
 * `record` without a name records under the run's id.
 */
export const recordingChoice = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('off') }),
  z.strictObject({ mode: z.literal('record'), name: recordingName.optional() }),
  z.strictObject({ mode: z.literal('replay'), name: recordingName }),
]);
export type RecordingChoice = z.infer<typeof recordingChoice>;

/** The first line of a recording. */
export const recordingHeader = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  name: recordingName,
  run_id: z.string(),
  recorded_at: z.string(),
});
export type RecordingHeader = z.infer<typeof recordingHeader>;

const json = z.custom<Json>((value) => value !== undefined);
/** An object that JSON can say. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const toolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: jsonObject,
  provider_metadata: jsonObject.optional(),
});

const answer = z.strictObject({
  text: z.string(),
  tool_calls: z.array(toolCall),
  usage: json.optional(),
  warning: z.string().optional(),
});

const failure = z.strictObject({
  message: z.string(),
  type: z.string().optional(),
  timed_out: z.boolean().optional(),
  retryable: z.boolean().optional(),
  retry_after_seconds: z.number().optional(),
});

/** One call and what came of it: an answer of a model, a value of a tool, or an error. */
export const recordingEntry = z.strictObject({
  /** Hash of the request; what a replay looks for. */
  fingerprint: z.string(),
  /** The effect's id in its run. */
  effect_id: z.string(),
  request: jsonObject,
  outcome: z.union([
    z.strictObject({ answer }),
    z.strictObject({ value: json }),
    z.strictObject({ error: failure }),
  ]),
});
export type RecordingEntry = z.infer<typeof recordingEntry>;
