import { DIFY_TYPE } from '../contract/flow.ts';

/** The node types of Dify that begin a run. */
export const DIFY_ENTRIES: readonly string[] = [
  'start',
  'trigger-plugin',
  'trigger-schedule',
  'trigger-webhook',
];

/** The node types of Dify whose content runs in rounds. */
export const DIFY_CONTAINERS: readonly string[] = ['iteration', 'loop'];

/** The output by which a step with rounds begins one. */
export const ROUND_OUTPUT = 1;

/** The node types of Dify that have a built-in handler, as the source has them. */
export const DIFY_STEP_TYPES: readonly string[] = [
  ...DIFY_ENTRIES,
  ...DIFY_CONTAINERS,
  'answer',
  'assigner',
  'code',
  'document-extractor',
  'end',
  'http-request',
  'if-else',
  'iteration-start',
  'list-operator',
  'loop-end',
  'loop-start',
  'template-transform',
  'tool',
  'variable-aggregator',
  'variable-assigner',
];

/** Tools of Dify's own that a step carries out, by the last names of their provider and their own. */
export const DIFY_TOOLS: readonly string[] = [
  'regex/regex_extract',
  'time/current_time',
  'time/localtime_to_timestamp',
  'time/timestamp_to_localtime',
  'time/timezone_conversion',
  'time/weekday',
  'webscraper/webscraper',
];

/** The name of a tool among them. */
export function difyTool(provider: string, tool: string): string {
  return `${provider.slice(provider.lastIndexOf('/') + 1)}/${tool}`;
}

/** The type of a step of Dify in the draft, which is also the name of its handler. */
export function difyType(type: string): string {
  return `${DIFY_TYPE}${type}`;
}
