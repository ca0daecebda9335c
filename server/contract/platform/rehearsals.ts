import { z } from 'zod';
import { jsonObject, recordingName } from './recordings.ts';

/** Items that stand in for what a step or a tool gives: pinned in the source, or stated by the author. */
const givenItems = z.strictObject({
  by: z.enum(['pinned', 'mocked']),
  items: z.array(jsonObject),
});

/** The calls of an agent or a tool are answered from a recording of the project (decision record 0007). */
const fromRecording = z.strictObject({ by: z.literal('recorded'), recording: recordingName });

const stepAnswer = z.union([givenItems, fromRecording]);
export type RehearsalAnswer = z.infer<typeof stepAnswer>;
export type AnsweredBy = RehearsalAnswer['by'];

/**
 * What a rehearsal answers instead of carrying it out: `metadata.rehearsal` of a create request. Steps
 * by their key in the workflow, tools by their name. The agent of a spec without a workflow is the
 * step `agent`.
 */
export const rehearsal = z.strictObject({
  steps: z.record(z.string(), stepAnswer).default({}),
  tools: z.record(z.string(), stepAnswer).default({}),
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** The step that the agent of a spec without a workflow counts as. */
export const SINGLE_AGENT = 'agent';

/** A run in which everything is carried out. */
export const NO_REHEARSAL: Rehearsal = { steps: {}, tools: {} };
