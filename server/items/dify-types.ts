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
  'end',
  'http-request',
  'if-else',
  'iteration-start',
  'list-operator',
  'loop-end',
  'loop-start',
  'template-transform',
  'variable-aggregator',
  'variable-assigner',
];

/** The type of a step of Dify in the draft, which is also the name of its handler. */
export function difyType(type: string): string {
  return `${DIFY_TYPE}${type}`;
}
