import type { Loss, Mechanism, NodePayload } from '../graph-ir.ts';
import { at, listOf, textOf } from '../value.ts';
import { classifierOutputs, displayBranch, ifElseOutputs } from './branches.ts';
import type { Containers } from './containers.ts';
import type { DifyNode } from './document.ts';
import { agentLosses, agentTools, llmLosses, readAgent, readExtractor, readLlm } from './llm.ts';
import type { DifyRole } from './scene.ts';

const SINGLE_REFERENCE = /^\{\{#([a-zA-Z0-9_]{1,50}(?:\.[a-zA-Z_][a-zA-Z0-9_]{0,29}){1,10})#\}\}$/;
const VARIABLE_NAME = /^[\p{L}\p{N}_-]+$/u;
const UNCONVERTED: ReadonlySet<string> = new Set([
  'knowledge-retrieval',
  'template-transform',
  'variable-aggregator',
  'variable-assigner',
  'assigner',
  'document-extractor',
  'list-operator',
  'human-input',
  'datasource',
  'datasource-empty',
  'knowledge-index',
  'start-placeholder',
]);

/** The reference of an answer that is nothing but one reference; undefined otherwise. */
export function singleReference(answer: unknown): string | undefined {
  return typeof answer === 'string' ? SINGLE_REFERENCE.exec(answer)?.[1] : undefined;
}

function formLosses(node: DifyNode): Loss[] {
  const names = listOf(node.data.get('variables'))
    .map((item) => textOf(at(item, 'variable')) ?? '')
    .filter((name) => VARIABLE_NAME.test(name));
  if (names.length === 0) return [];
  const detail = `"${node.title}" asks the caller for ${names.join(', ')}.`;
  return [{ ref: node.ref, kind: 'run_input', detail }];
}

function endLosses(node: DifyNode): Loss[] {
  const outputs = node.data.get('outputs');
  if (!Array.isArray(outputs)) {
    const detail = `"${node.title}" does not say what it gives back.`;
    return [{ ref: node.ref, kind: 'source_cannot_run', detail }];
  }
  const detail = `"${node.title}" gives back ${outputs.length} named value(s); the draft gives back its last text.`;
  return [{ ref: node.ref, kind: 'output_formatting_not_carried', detail }];
}

function answerLosses(node: DifyNode): Loss[] {
  const answer = node.data.get('answer');
  if (typeof answer !== 'string') {
    const detail = `"${node.title}" holds no text to answer with.`;
    return [{ ref: node.ref, kind: 'source_cannot_run', detail }];
  }
  if (singleReference(answer) !== undefined) return [];
  const detail = `"${node.title}" writes an answer of its own around the values.`;
  return [{ ref: node.ref, kind: 'output_formatting_not_carried', detail }];
}

function unconverted(node: DifyNode): Loss[] {
  const detail = `"${node.title}" is an element without a counterpart (${node.type || 'no type'}).`;
  return [{ ref: node.ref, kind: 'proprietary_node', detail }];
}

function containerPayload(node: DifyNode, members: readonly string[]): NodePayload {
  return { kind: 'container', construct: node.type, members };
}

const OPAQUE = {
  role: 'node',
  payload: () => ({ kind: 'unknown' }),
  losses: unconverted,
  opaque: true,
} satisfies DifyRole;

const entry = (mechanism: Mechanism): DifyRole => ({ role: 'entry', mechanism });

const CONTAINER: DifyRole = {
  role: 'node',
  payload: (node, scene) => containerPayload(node, scene.containers.members.get(node.id) ?? []),
  losses: (node, scene) => {
    const count = scene.containers.members.get(node.id)?.length ?? 0;
    const detail = `"${node.title}" repeats its content (${count} elements), which the draft does not hold.`;
    return [{ ref: node.ref, kind: 'containment_not_carried', detail }];
  },
};

function isNewAgent(node: DifyNode): boolean {
  const version = node.data.get('version');
  const isTwo = version === 2 || version === '2';
  return isTwo && node.data.get('agent_node_kind') === 'dify_agent';
}

/** The table of node types (importers 5.3). */
export const DIFY_ROLES: ReadonlyMap<string, DifyRole> = new Map<string, DifyRole>([
  ['start', { role: 'entry', mechanism: 'manual', losses: formLosses }],
  ['trigger-schedule', entry('schedule')],
  ['trigger-webhook', entry('webhook')],
  ['trigger-plugin', entry('event')],
  ['end', { role: 'waypoint', losses: endLosses }],
  ['answer', { role: 'waypoint', losses: answerLosses }],
  [
    'llm',
    {
      role: 'node',
      payload: (node, scene) => ({ kind: 'model_call', ...readLlm(node, scene) }),
      losses: llmLosses,
    },
  ],
  [
    'parameter-extractor',
    {
      role: 'node',
      payload: (node) => ({ kind: 'model_call', ...readExtractor(node) }),
      losses: llmLosses,
    },
  ],
  [
    'agent',
    {
      role: 'node',
      payload: (node) => ({ kind: 'agent', ...readAgent(node) }),
      losses: agentLosses,
      tools: agentTools,
    },
  ],
  [
    'if-else',
    {
      role: 'node',
      payload: (node) => ({ kind: 'branch', display: displayBranch(node), translated: false }),
      outputs: ifElseOutputs,
    },
  ],
  [
    'question-classifier',
    {
      role: 'node',
      payload: (node) => ({ kind: 'branch', display: displayBranch(node), translated: false }),
      outputs: classifierOutputs,
    },
  ],
  [
    'code',
    {
      role: 'node',
      payload: (node) => ({
        kind: 'code',
        language: textOf(node.data.get('code_language')) ?? 'python3',
      }),
    },
  ],
  [
    'http-request',
    {
      role: 'node',
      payload: (node) => ({
        kind: 'http',
        display: (textOf(node.data.get('method')) ?? 'get').toUpperCase(),
      }),
    },
  ],
  [
    'tool',
    {
      role: 'node',
      payload: (node) => {
        const provider = textOf(node.data.get('provider_id')) ?? '';
        return {
          kind: 'tool_call',
          tool: `${provider}/${textOf(node.data.get('tool_name')) ?? ''}`,
        };
      },
    },
  ],
  ['iteration', CONTAINER],
  ['loop', CONTAINER],
]);

/** The role of a node outside containers (importers 5.3). */
export function strictRoleOf(node: DifyNode, _containers: Containers): DifyRole {
  if (node.type === 'agent' && isNewAgent(node)) return OPAQUE;
  const known = DIFY_ROLES.get(node.type);
  if (known !== undefined) return known;
  if (UNCONVERTED.has(node.type)) return OPAQUE;
  return { ...OPAQUE, mayStart: true };
}
