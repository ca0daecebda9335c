import { builtInName } from '../../../contract/flow.ts';
import { DIFY_CONTAINERS, difyType } from '../../../items/dify-types.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { Loss, NodePayload, StepSettings } from '../../graph-ir.ts';
import { carriedData } from '../../kept-data.ts';
import type { Protector } from '../../secrets.ts';
import { at, textOf } from '../../value.ts';
import { classifierOutputs, ifElseOutputs } from '../branches.ts';
import type { DifyNode } from '../document.ts';
import { classNames } from '../extended/branches.ts';
import {
  agentModel,
  extendedAgent,
  extendedCall,
  memoryLosses,
  providerLosses,
} from '../extended/calls.ts';
import { extendedRoleOf } from '../extended/roles.ts';
import { agentTools } from '../llm.ts';
import { readModel } from '../models.ts';
import { strictRoleOf } from '../roles.ts';
import { hasFailBranch } from '../run-settings.ts';
import type { DifyRole, DifyScene, HandledOutput } from '../scene.ts';
import { asksModel, leftOut, runsHere } from './handled.ts';
import { askedLosses, chosenOutputs } from './humans.ts';
import { asPrompt, flowTexts } from './prompts.ts';
import { secretsOf } from './settings.ts';

/** What a node becomes in a flow of items. */
export interface MadeStep {
  readonly payload: NodePayload;
  readonly outputs: HandledOutput[];
  readonly losses: readonly Loss[];
  readonly step?: StepSettings | undefined;
  readonly settings: (protector: Protector) => JsonObject;
}

const ONE: readonly HandledOutput[] = [{ handle: 'source', position: 0, role: 'default' }];
const FAILED = 'fail-branch';

/** Outputs of a step that says itself on which one it gives. */
function ownOutputs(node: DifyNode): HandledOutput[] {
  if (node.type === 'if-else') return ifElseOutputs(node);
  const outputs = [...ONE];
  if (DIFY_CONTAINERS.includes(node.type)) {
    outputs.push({ handle: 'round', position: outputs.length, role: 'iterate' });
  }
  if (hasFailBranch(node)) {
    outputs.push({ handle: FAILED, position: outputs.length, role: 'case' });
  }
  return outputs;
}

/** Outputs of a step that failed or not. */
function statusOutputs(node: DifyNode, outputs: readonly HandledOutput[]): HandledOutput[] {
  if (!hasFailBranch(node)) return [...outputs];
  const completed: Condition = { type: 'status_is', value: 'completed' };
  return [
    ...outputs.map((output) => ({ ...output, condition: output.condition ?? completed })),
    {
      handle: FAILED,
      position: outputs.length,
      role: 'error',
      condition: { type: 'status_is', value: 'failed' },
    },
  ];
}

function named(value: string): Condition {
  return { type: 'output_contains', value, case_sensitive: false };
}

/** The answer holds the name of one class and of none that holds it; the first class takes what names none. */
function classConditions(node: DifyNode): readonly Condition[] {
  const names = classNames(node);
  const own = names.map((name): Condition => {
    const longer = names.filter(
      (other) => other !== name && other.toLowerCase().includes(name.toLowerCase()),
    );
    const [one, ...more] = longer.map(named);
    if (one === undefined) return named(name);
    const other: Condition =
      more.length === 0 ? one : { type: 'any_of', conditions: [one, ...more] };
    return { type: 'all_of', conditions: [named(name), { type: 'not', condition: other }] };
  });
  return own.map((condition, at) => {
    const before = own.slice(at === 0 ? 1 : 0, at === 0 ? undefined : at);
    const [one, ...more] = at === 0 ? before : before.slice(1);
    if (one === undefined) return at === 0 ? { type: 'always' } : condition;
    const others: Condition =
      more.length === 0 ? one : { type: 'any_of', conditions: [one, ...more] };
    const none: Condition = { type: 'not', condition: others };
    return at === 0 ? none : { type: 'all_of', conditions: [condition, none] };
  });
}

function textOutputs(node: DifyNode): HandledOutput[] {
  if (node.type !== 'question-classifier') return statusOutputs(node, ONE);
  const conditions = classConditions(node);
  return statusOutputs(
    node,
    classifierOutputs(node).map((output) => {
      const condition = conditions[output.position];
      return condition === undefined ? output : { ...output, condition };
    }),
  );
}

function headOf(node: DifyNode, protector: Protector): JsonObject {
  const { id, title, type } = node;
  return {
    id: protector.scrub(id),
    name: protector.scrub(title),
    type: difyType(type),
    version: 1,
  };
}

/** A step with all settings of its source. */
function withData(node: DifyNode, scene: DifyScene) {
  return (protector: Protector): JsonObject => {
    const secrets = secretsOf(node, scene.doc);
    const credentials = Object.keys(secrets).length === 0 ? {} : { credentials: secrets };
    return {
      ...headOf(node, protector),
      parameters: carriedData(node.data, protector),
      ...credentials,
    };
  };
}

function built(node: DifyNode, scene: DifyScene): MadeStep {
  const implementation = builtInName(difyType(node.type));
  return {
    payload: { kind: 'component', step: 'function', definition: () => ({ implementation }) },
    outputs: ownOutputs(node),
    losses: [...containerLosses(node), ...fileLosses(node)],
    settings: withData(node, scene),
  };
}

function told(node: DifyNode, severity: 'info' | 'manual', detail: string, todo: string): Loss {
  return { ref: node.ref, kind: 'carried_as', severity, detail, todo };
}

function containerLosses(node: DifyNode): Loss[] {
  if (node.data.get('is_parallel') !== true) return [];
  const detail = `"${node.title}" works on several items at once in the source; here it takes one after another.`;
  return [told(node, 'info', detail, 'Nothing to do unless it must be faster.')];
}

/** What is not carried out of what a node does with files. */
function fileLosses(node: DifyNode): Loss[] {
  if (node.type !== 'document-extractor') return [];
  const detail = `"${node.title}" reads documents: here those that are texts and whose content comes with the run.`;
  return [told(node, 'manual', detail, 'Turn other documents into text before the run.')];
}

const KEEPS_GOING: ReadonlySet<string> = new Set(['continue-on-error', 'remove-abnormal-output']);

/** True for a step whose failure ends its round only. */
function endsRoundOnly(node: DifyNode, scene: DifyScene): boolean {
  const around = scene.doc.nodes.find(({ id }) => id === node.parent);
  return KEEPS_GOING.has(textOf(around?.data.get('error_handle_mode')) ?? '');
}

function failureSettings(
  node: DifyNode,
  role: DifyRole,
  scene: DifyScene,
): StepSettings | undefined {
  const own = role.role === 'node' ? role.step?.(node) : undefined;
  const goesOn = node.data.get('error_strategy') === 'default-value' || endsRoundOnly(node, scene);
  return goesOn ? { ...own, on_error: 'continue' } : own;
}

/** A step that no built-in handler runs is tried again by the engine. */
function retryLosses(node: DifyNode): Loss[] {
  const config = node.data.get('retry_config');
  if (at(config, 'retry_enabled') !== true) return [];
  const detail = `"${node.title}" is tried again after a failure; in the draft retries come without a pause.`;
  return [{ ...told(node, 'manual', detail, 'Check that this is what is meant.'), about: 'run' }];
}

function modelLosses(node: DifyNode, scene: DifyScene): Loss[] {
  const model = node.type === 'agent' ? agentModel(node) : node.data.get('model');
  const plain = readModel(model).field;
  const detail = `"${node.title}" (${node.type}) asks its model as an agent of the draft; what it names of earlier steps is filled in when it runs.`;
  const vision = at(node.data.get('vision'), 'enabled') === true;
  const pictures = `"${node.title}" gives its model pictures in the source; here it is given texts only.`;
  return [
    told(node, 'info', detail, 'Nothing to do.'),
    ...providerLosses(node, plain, extendedCall(node, scene).model),
    ...memoryLosses(node, scene),
    ...(vision ? [told(node, 'manual', pictures, 'Describe the pictures in words.')] : []),
  ];
}

function modelPayload(node: DifyNode, scene: DifyScene, system: string): NodePayload {
  const prompt = asPrompt(system);
  if (node.type === 'agent') {
    return { kind: 'agent', ...extendedAgent(node, scene), prompt };
  }
  const runInput = { state: 'absent' } as const;
  return { kind: 'model_call', ...extendedCall(node, scene), prompt, runInput, settings: [] };
}

function asking(node: DifyNode, scene: DifyScene): MadeStep {
  const texts = flowTexts(node, scene);
  const isOwn = node.type === 'question-classifier' || node.type === 'parameter-extractor';
  const hasDefaults = node.data.get('error_strategy') === 'default-value';
  return {
    payload: modelPayload(node, scene, texts.system),
    outputs: textOutputs(node),
    losses: [...modelLosses(node, scene), ...texts.losses, ...retryLosses(node)],
    step: failureSettings(node, extendedRoleOf(node, scene), scene),
    settings: (protector) => {
      const entry = { ...headOf(node, protector), prompt: protector.scrub(texts.prompt) };
      if (!isOwn && !hasDefaults) return entry;
      const { model: _, ...data } = carriedData(node.data, protector);
      return {
        ...entry,
        parameters: isOwn ? data : { default_value: data['default_value'] ?? [] },
      };
    },
  };
}

function heldLoss(node: DifyNode, role: DifyRole, scene: DifyScene): readonly Loss[] {
  const lacks = leftOut(node);
  if (lacks === undefined || node.type === 'tool') {
    const losses = role.role === 'node' ? (role.losses?.(node, scene) ?? []) : [];
    return losses;
  }
  const detail = `"${node.title}" has ${lacks}; a function step holds its place and its settings.`;
  const todo = 'Name a function that does this job, or write it in JavaScript.';
  return [{ ref: node.ref, kind: 'proprietary_node', detail, todo }];
}

/** A question to a person. */
function asksPerson(node: DifyNode, scene: DifyScene): MadeStep | undefined {
  const role = extendedRoleOf(node, scene);
  if (node.type !== 'human-input' || role.role !== 'node') return undefined;
  const outputs = chosenOutputs(node, role.outputs?.(node, scene) ?? ONE);
  const losses = askedLosses(node, outputs);
  return { payload: role.payload(node, scene), outputs, losses, settings: withData(node, scene) };
}

/** A node that nothing here runs: a function to name holds its place. */
function held(node: DifyNode, scene: DifyScene): MadeStep {
  const role = extendedRoleOf(node, scene);
  return {
    payload: {
      kind: 'component',
      step: 'function',
      definition: (name, protector) => ({
        implementation: `imported.${name}`,
        input_schema: { title: protector.scrub(node.title), 'x-source-type': node.type },
      }),
    },
    outputs: statusOutputs(node, ONE),
    losses: [...heldLoss(node, role, scene), ...retryLosses(node)],
    step: failureSettings(node, role, scene),
    settings: withData(node, scene),
  };
}

/** True for an agent that the draft has as an agent. */
function isReadable(node: DifyNode, scene: DifyScene): boolean {
  const role = strictRoleOf(node, scene.containers);
  return role.role === 'node' && role.opaque !== true;
}

/** The step of a node. */
export function stepOf(node: DifyNode, scene: DifyScene): MadeStep {
  if (runsHere(node)) return built(node, scene);
  if (asksModel(node) && isReadable(node, scene)) return asking(node, scene);
  return asksPerson(node, scene) ?? held(node, scene);
}

/** The tools that the agent of a node is offered. */
export function toolsOf(node: DifyNode, scene: DifyScene) {
  return node.type === 'agent' && isReadable(node, scene) ? agentTools(node) : [];
}
