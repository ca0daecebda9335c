import { z } from 'zod';

// What a spec says about an imported workflow that runs as an item flow: `metadata.flow` (decision record 0024).
// An editor shows the descriptions.

/** An output of a step, by its key in the graph. */
const flowOutput = z.object({
  step: z.string().describe('A step of the graph.'),
  output: z.number().int().min(0).describe('Its output, from 0.'),
});

/** A step's settings as its source has them. */
export const flowStep = z.object({
  id: z.string().optional().describe('By which other steps of Dify read what it gave.'),
  name: z.string().describe('The name in the source, by which expressions call it.'),
  type: z.string().describe('The type in the source, with its package.'),
  version: z.number().describe('The version of the type, which decides how settings are read.'),
  parameters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('The settings as the source has them.'),
  on_error: z
    .enum(['regular_output', 'error_output'])
    .optional()
    .describe(
      'Where an item goes that the step cannot handle; without it the run fails. The error output is the one behind the others.',
    ),
  execute_once: z.boolean().optional().describe('Only the first item is handled.'),
  always_output: z
    .boolean()
    .optional()
    .describe('The step gives one empty item where it would give none.'),
  disabled: z
    .boolean()
    .optional()
    .describe('The step does nothing: it hands its first input to its first output.'),
  retry: z
    .object({
      tries: z.number().int().min(1).describe('How often it is tried in all.'),
      wait_ms: z.number().min(0).describe('Milliseconds between two tries.'),
    })
    .optional()
    .describe('How often a step that fails is tried.'),
  credentials: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Kind of credential → its name in the source; bound to a stored secret beside the draft.',
    ),
  inputs: z
    .array(z.array(flowOutput))
    .optional()
    .describe(
      'For each input the outputs that feed it; an edge that is not listed feeds the first one.',
    ),
  prompt: z
    .string()
    .optional()
    .describe('Steps of text: the expression whose value they get, for each item.'),
  inside: z
    .string()
    .optional()
    .describe('The key of the iteration or loop of Dify that it is a part of.'),
});

export type FlowStepSettings = z.infer<typeof flowStep>;

/** How an imported workflow runs, and what its steps were in its source. */
export const flowSettings = z.object({
  source: z.enum(['n8n', 'dify']).describe('The tool that the workflow is from.'),
  order: z
    .enum(['v0', 'v1', 'dify'])
    .describe(
      'Who runs next: `v1` depth first, `v0` breadth first, `dify` once all that leads to it is settled.',
    ),
  name: z.string().default('').describe("The workflow's name in its source."),
  zone: z.string().optional().describe('IANA name of the time zone in which expressions compute.'),
  allowed_domains: z
    .array(z.string())
    .optional()
    .describe(
      'Hosts, with those below them, that steps may send requests to; absent or empty = every host.',
    ),
  denied_domains: z
    .array(z.string())
    .optional()
    .describe('Hosts that steps may not send requests to; wins over the allowed ones.'),
  mode: z.string().optional().describe('Kind of a Dify app: `workflow` or `advanced-chat`.'),
  conversation_variables: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Variables of a Dify app that its steps change, with their first values.'),
  environment_variables: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Variables of a Dify app that its steps read.'),
  steps: z
    .record(z.string(), flowStep)
    .describe('What the steps are in their source, by their key in the graph.'),
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

/** Begins the types of Dify's nodes here, and the names of their handlers in the platform's registry. */
export const DIFY_TYPE = 'dify.';
/** The same for the names of n8n's. */
const N8N_NAME = 'n8n.';

/** The name under which the registry has the handler for a type of the source. */
export function builtInName(type: string): string {
  return type.startsWith(DIFY_TYPE) ? type : `${N8N_NAME}${type.slice(type.lastIndexOf('.') + 1)}`;
}

/** Whether a name of the registry may be that of a built-in step. */
export function namesBuiltIn(name: string): boolean {
  return name.startsWith(N8N_NAME) || name.startsWith(DIFY_TYPE);
}
