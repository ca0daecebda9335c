import { z } from 'zod';

// What a spec says about an imported workflow that runs as an item flow: `metadata.flow` (decision record 0024).

/** An output of a step, by its key in the graph. */
const flowOutput = z.object({ step: z.string(), output: z.number().int().min(0) });

/** A step's settings as its source has them. */
export const flowStep = z.object({
  /** The name in the source, by which expressions call it. */
  name: z.string(),
  type: z.string(),
  version: z.number(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  /** What the step does with an item that it cannot handle; absent = the run fails. */
  on_error: z.enum(['regular_output', 'error_output']).optional(),
  /** Only the first item is handled. */
  execute_once: z.boolean().optional(),
  /** A step without items gives one empty item. */
  always_output: z.boolean().optional(),
  /** Hands its first input to its first output. */
  disabled: z.boolean().optional(),
  /** How often it is tried in all, and milliseconds between two tries. */
  retry: z.object({ tries: z.number().int().min(1), wait_ms: z.number().min(0) }).optional(),
  /** Kind of credential → its name in the source. */
  credentials: z.record(z.string(), z.string()).optional(),
  /** For each input the outputs that feed it; an edge that is not listed feeds the first one. */
  inputs: z.array(z.array(flowOutput)).optional(),
  /** Steps of text: the expression whose value they get, for each item. */
  prompt: z.string().optional(),
});

export type FlowStepSettings = z.infer<typeof flowStep>;

/** How an imported workflow runs, and what its steps were in its source. */
export const flowSettings = z.object({
  source: z.literal('n8n'),
  /** Who runs next: `v1` depth first, `v0` breadth first. */
  order: z.enum(['v0', 'v1']),
  /** The workflow's name in its source. */
  name: z.string().default(''),
  /** IANA name of the time zone in which expressions compute. */
  zone: z.string().optional(),
  /** Hosts, with those below them, that steps may send requests to; absent or empty = every host. */
  allowed_domains: z.array(z.string()).optional(),
  /** Hosts that they may not; wins over the allowed ones. */
  denied_domains: z.array(z.string()).optional(),
  /** By key of the step in the graph. */
  steps: z.record(z.string(), flowStep),
});

export type FlowSettings = z.infer<typeof flowSettings>;

/** Component workflows that are item flows of their own, by name: `metadata.flows`. Where requests may go is said by the root flow. */
export const calledFlows = z.record(
  z.string(),
  flowSettings.omit({ allowed_domains: true, denied_domains: true }),
);

/** A node of the source that an agent may call as a tool, by the tool's name in the spec: `metadata.tools`. */
export const toolSettings = z.record(
  z.string(),
  flowStep.pick({ name: true, type: true, version: true, parameters: true, credentials: true }),
);

export type ToolSettings = z.infer<typeof toolSettings>;

/** Begins the names of built-in steps in the platform's registry. */
const BUILT_IN = 'n8n.';

/** The name under which the registry has the handler for a type of the source. */
export function builtInName(type: string): string {
  return `${BUILT_IN}${type.slice(type.lastIndexOf('.') + 1)}`;
}
