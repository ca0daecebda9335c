import type { Workflow } from './spec-types.ts';

const DEFAULT_NAMES: Readonly<Record<Workflow['type'], string>> = {
  sequential: 'sequential-workflow',
  graph: 'graph-workflow',
  concurrent: 'concurrent-workflow',
  handoff: 'handoff-workflow',
  'group-chat': 'group-chat-workflow',
  group_chat: 'group-chat-workflow',
};

/** The name that a workflow runs under: its own, else that of its kind (spec-v1 4). */
export function workflowName(workflow: Workflow): string {
  return workflow.name ?? DEFAULT_NAMES[workflow.type];
}
