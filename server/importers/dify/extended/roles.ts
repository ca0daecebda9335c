import type { JsonObject } from '../../../kernel/json.ts';
import type { Definition, Loss, NodePayload, StepSettings } from '../../graph-ir.ts';
import { keptData } from '../../kept-data.ts';
import { at, listOf, textOf } from '../../value.ts';
import { classifierOutputs, displayBranch } from '../branches.ts';
import type { DifyNode } from '../document.ts';
import { agentTools } from '../llm.ts';
import { readModel } from '../models.ts';
import { DIFY_ROLES, strictRoleOf } from '../roles.ts';
import { hasFailBranch } from '../run-settings.ts';
import type { ContainedRole, DifyRole, DifyScene, HandledOutput, NodeLosses } from '../scene.ts';
import { classNames, extendedIfElse, translatedLosses, translateIfElse } from './branches.ts';
import { callLosses, extendedAgent, extendedAgentLosses, extendedCall } from './calls.ts';
import { classPrompt } from './class-prompt.ts';

function functionDefinition(node: DifyNode): Definition {
  return (name, protector) => ({
    implementation: `imported.${name}`,
    input_schema: {
      title: protector.scrub(node.title),
      'x-source-type': node.type,
      default: keptData(node.data, protector),
    },
  });
}

/** What a step does on a failure, from the settings of its node. */
function stepSettings(node: DifyNode): StepSettings | undefined {
  const out: JsonObject = {};
  const retries = at(node.data.get('retry_config'), 'max_retries');
  const retried = at(node.data.get('retry_config'), 'retry_enabled') === true;
  if (hasFailBranch(node)) out['on_error'] = 'continue';
  else if (retried) out['on_error'] = 'retry';
  if (retried && typeof retries === 'number' && retries > 0) out['max_retries'] = retries;
  return Object.keys(out).length === 0 ? undefined : out;
}

function functionPayload(node: DifyNode): NodePayload {
  return { kind: 'component', step: 'function', definition: functionDefinition(node) };
}

function functionRole(kind: string): DifyRole {
  return {
    role: 'node',
    payload: functionPayload,
    losses: (node) => {
      const detail = `"${node.title}" is a step of its own kind (${node.type}); a function step holds its place and its settings.`;
      const todo = 'Name the function that does this job.';
      return [{ ref: node.ref, kind, detail, todo }];
    },
    step: stepSettings,
  };
}

function passing(kind: string, severity: 'info' | 'manual', said: string): DifyRole {
  return {
    role: 'node',
    payload: () => ({ kind: 'passthrough' }),
    losses: (node) => [{ ref: node.ref, kind, severity, detail: `"${node.title}" ${said}` }],
    opaque: true,
  };
}

const CALL: DifyRole = {
  role: 'node',
  payload: (node, scene) => ({ kind: 'model_call', ...extendedCall(node, scene) }),
  losses: callLosses,
  step: stepSettings,
};

const AGENT: DifyRole = {
  role: 'node',
  payload: (node, scene) => ({ kind: 'agent', ...extendedAgent(node, scene) }),
  losses: extendedAgentLosses,
  tools: agentTools,
  step: stepSettings,
};

const IF_ELSE: DifyRole = {
  role: 'node',
  payload: (node, scene) => ({
    kind: 'branch',
    display: displayBranch(node),
    translated: translateIfElse(node, scene) !== undefined,
    gate: functionDefinition(node),
  }),
  losses: translatedLosses,
  outputs: extendedIfElse,
};

function classOutputs(node: DifyNode): HandledOutput[] {
  const names = classNames(node);
  return classifierOutputs(node).map((output) => {
    const value = names[output.position] ?? '';
    if (value === '') return output;
    return { ...output, condition: { type: 'output_contains', value, case_sensitive: false } };
  });
}

const CLASSIFIER: DifyRole = {
  role: 'node',
  payload: (node): NodePayload => {
    const model = readModel(node.data.get('model'));
    return {
      kind: 'model_call',
      model: model.field,
      prompt: { state: 'resolved', value: classPrompt(node), provenance: 'authored' },
      runInput: { state: 'absent' },
      settings: [],
    };
  },
  losses: (node) => {
    const detail = `"${node.title}" sorts into classes; in the draft an agent answers with the class and the edges look for it.`;
    const todo = 'Check the wording of the prompt and of the classes.';
    return [{ ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
  },
  outputs: classOutputs,
  step: stepSettings,
};

/** The buttons of a question to a person, by handle. */
export function buttonsOf(node: DifyNode): Map<string, string> {
  const out = new Map<string, string>();
  for (const item of listOf(node.data.get('user_actions'))) {
    const id = textOf(at(item, 'id')) ?? '';
    if (id !== '') out.set(id, textOf(at(item, 'title')) ?? id);
  }
  return out;
}

/** Outputs of a question to a person: one for each button, and those that edges use beside them. */
function humanOutputs(node: DifyNode, scene: DifyScene): HandledOutput[] {
  const used = scene.doc.edges.filter((edge) => edge.source === node.id).map((edge) => edge.handle);
  const handles = [...new Set([...buttonsOf(node).keys(), ...used])].filter((h) => h !== null);
  if (handles.every((handle) => handle === 'source')) {
    return [{ handle: 'source', position: 0, role: 'default' }];
  }
  return handles.map((handle, position) => ({ handle, position, role: 'case' }));
}

function humanLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const { ref, title } = node;
  const detail = `"${title}" asks a person and waits; in the draft a human step does.`;
  const todo = 'Say who is asked and how they are told.';
  const carried: Loss = { ref, kind: 'carried_as', severity: 'manual', detail, todo };
  const outputs = humanOutputs(node, scene);
  if (outputs.every((output) => output.role === 'default')) return [carried];
  const buttons = buttonsOf(node);
  const words = outputs.map(({ handle }) => `"${buttons.get(handle) ?? handle}"`).join(', ');
  const chosen: Loss = {
    ref,
    kind: 'expression',
    detail: `What the person chooses at "${title}" decides where the flow goes (${words}); the edges after it have no conditions yet.`,
    todo: 'Write the conditions of these edges.',
  };
  return [carried, chosen];
}

const HUMAN: DifyRole = {
  role: 'node',
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'human',
    definition: (_name, protector) => ({
      description: protector.scrub(node.title),
      request_type: 'freeform',
    }),
  }),
  losses: humanLosses,
  outputs: humanOutputs,
};

function marker(severity: 'info' | 'manual', said: string, todo: string): NodeLosses {
  return (node) => [
    { ref: node.ref, kind: 'carried_as', severity, detail: `"${node.title}" ${said}`, todo },
  ];
}

const STARTS = marker(
  'info',
  'marks where the content begins; the component workflow starts there.',
  'Nothing to do.',
);
const ENDS = marker(
  'manual',
  'leaves the loop early; in the draft the path ends there.',
  'Keep it in mind when the way back is drawn.',
);
const START: DifyRole = { role: 'entry', mechanism: 'unknown', losses: STARTS };
const MARKERS: ReadonlyMap<string, DifyRole> = new Map<string, DifyRole>([
  ['iteration-start', START],
  ['loop-start', START],
  ['loop-end', { role: 'waypoint', losses: ENDS }],
]);

function repeats(node: DifyNode): string {
  if (node.type === 'iteration') return 'once for each item of a list';
  const count = node.data.get('loop_count');
  return typeof count === 'number' ? `at most ${count} times` : 'until its condition holds';
}

/** Nothing starts the content of a container from outside; a trigger in it is a step to be named. */
function triggerInside(node: DifyNode): DifyRole | undefined {
  const isEntry = DIFY_ROLES.get(node.type)?.role === 'entry';
  return isEntry ? functionRole('proprietary_node') : undefined;
}

/** The content of a container is a workflow of its own, which the draft runs once. */
const CONTAINED: ContainedRole = {
  payload: (node, body): NodePayload => ({
    kind: 'component',
    step: 'workflow',
    body,
    definition: (_name, protector) => ({
      type: 'sequential',
      description: protector.scrub(node.title),
      steps: [],
    }),
  }),
  losses: (node) => {
    const detail = `The source runs the content of "${node.title}" ${repeats(node)}; the draft holds it as a component workflow and runs it once.`;
    const todo =
      'Draw the way back with its condition and a limit (max_steps), or split the work before.';
    return [{ ref: node.ref, kind: 'containment_not_carried', detail, todo }];
  },
  member: (node) => MARKERS.get(node.type) ?? triggerInside(node),
};

const CONTAINER: DifyRole = {
  role: 'node',
  payload: functionPayload,
  losses: (node, scene) => {
    const members = scene.containers.members.get(node.id) ?? [];
    const detail = `"${node.title}" repeats its content (${members.length} elements); a function step holds its place.`;
    const losses: Loss[] = [{ ref: node.ref, kind: 'containment_not_carried', detail }];
    return [...losses, ...memberLosses(node, members, scene)];
  },
  step: stepSettings,
  contained: CONTAINED,
};

function memberLosses(node: DifyNode, ids: readonly string[], scene: DifyScene): Loss[] {
  const inside = new Set(ids);
  return scene.doc.nodes
    .filter((member) => inside.has(member.id))
    .map((member) => ({
      ref: member.ref,
      kind: 'containment_not_carried',
      detail: `"${member.title}" (${member.type}) stands inside "${node.title}".`,
    }));
}

const ROLES: ReadonlyMap<string, DifyRole> = new Map<string, DifyRole>([
  ['llm', CALL],
  ['parameter-extractor', CALL],
  ['agent', AGENT],
  ['if-else', IF_ELSE],
  ['question-classifier', CLASSIFIER],
  ['human-input', HUMAN],
  ['iteration', CONTAINER],
  ['loop', CONTAINER],
  [
    'variable-aggregator',
    passing('carried_as', 'info', 'passes on whichever value came; the flow passes it.'),
  ],
  ['start-placeholder', passing('carried_as', 'info', 'marks an empty place; the flow passes it.')],
  [
    'knowledge-retrieval',
    passing('external_service', 'manual', 'looks things up in knowledge; the flow passes it.'),
  ],
  ['tool', functionRole('deterministic_tool')],
  ...[
    'code',
    'http-request',
    'template-transform',
    'variable-assigner',
    'assigner',
    'list-operator',
    'document-extractor',
    'datasource',
    'datasource-empty',
    'knowledge-index',
  ].map((type): [string, DifyRole] => [type, functionRole('proprietary_node')]),
]);

/** True for a node that flow passes: no step of the draft stands for it. */
export function isPassed(node: DifyNode): boolean {
  const role = ROLES.get(node.type);
  return role?.role === 'node' && role.opaque === true;
}

/** The role of a node in the extended conversion (importers 14). */
export function extendedRoleOf(node: DifyNode, scene: DifyScene): DifyRole {
  const strict = strictRoleOf(node, scene.containers);
  if (node.type === 'agent')
    return strict === DIFY_ROLES.get('agent') ? AGENT : functionRole('proprietary_node');
  const known = ROLES.get(node.type);
  if (known !== undefined) return known;
  return strict.role === 'node' ? functionRole('proprietary_node') : strict;
}
