import type { Json } from '../../kernel/json.ts';
import {
  type Block,
  closeBlock,
  filled,
  listOf,
  mapOf,
  nullable,
  oneOf,
  openBlock,
  optional,
  type Reader,
  raw,
  readBoolean,
  readInteger,
  readText,
  readTexts,
  required,
} from './block.ts';
import { VALUES } from './field-help.ts';
import { BLOCKS } from './help.ts';
import type {
  Condition,
  Edge,
  GroupChatWorkflow,
  HandoffWorkflow,
  Step,
  Workflow,
} from './spec-types.ts';

const readKind = oneOf(VALUES.stepKind);
const readOnError = oneOf(VALUES.onError);
const readConditionType = oneOf(VALUES.condition);
const readSelectorType = oneOf(VALUES.selector);
const readWorkflowType = oneOf(VALUES.workflow);
const readAny: Reader<Json> = (value) => value;

const readStep: Reader<Step> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a step');
  const step: Step = {
    id: required(block, 'id', readText, ''),
    kind: required(block, 'kind', readKind, 'agent'),
    ref: required(block, 'ref', readText, ''),
    enabled: optional(block, 'enabled', readBoolean, true),
    on_error: optional(block, 'on_error', readOnError, 'fail'),
    fallback_ref: filled(block, 'fallback_ref', readText),
    max_retries: optional(block, 'max_retries', readInteger, 0),
    timeout_seconds: nullable(block, 'timeout_seconds', readInteger),
  };
  closeBlock(block, BLOCKS.step.fields);
  return step;
};

/** A condition tree keeps only the fields that were written. */
const readCondition: Reader<Condition> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a condition');
  const condition: Condition = { type: required(block, 'type', readConditionType, 'always') };
  if (raw(block, 'value') !== undefined) condition.value = required(block, 'value', readAny, null);
  if (raw(block, 'key') !== undefined) condition.key = nullable(block, 'key', readText);
  if (raw(block, 'case_sensitive') !== undefined) {
    condition.case_sensitive = optional(block, 'case_sensitive', readBoolean, false);
  }
  if (raw(block, 'conditions') !== undefined) {
    condition.conditions = optional(block, 'conditions', readConditions, []);
  }
  if (raw(block, 'condition') !== undefined) {
    condition.condition = nullable(block, 'condition', readCondition);
  }
  closeBlock(block, BLOCKS.condition.fields);
  return condition;
};

const readConditions = listOf(readCondition);

const EDGE_KEYS = { ...BLOCKS.edge.fields, from_: true };

const readEdge: Reader<Edge> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'an edge');
  const alias = raw(block, 'from') === undefined && raw(block, 'from_') !== undefined;
  const edge: Edge = {
    from: required(block, alias ? 'from_' : 'from', readText, ''),
    to: required(block, 'to', readText, ''),
    condition: nullable(block, 'condition', readCondition),
    label: nullable(block, 'label', readText),
  };
  closeBlock(block, EDGE_KEYS);
  return edge;
};

const readSteps = listOf(readStep);
const readNodes = mapOf(readStep);
const readEdges = listOf(readEdge);

const readSelector: Reader<HandoffWorkflow['selector']> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the selector');
  const selector: HandoffWorkflow['selector'] = {
    type: optional(block, 'type', readSelectorType, 'sequence'),
    sequence: optional(block, 'sequence', readTexts, []),
  };
  closeBlock(block, BLOCKS.selector.fields);
  return selector;
};

function named(block: Block): { name: string | null; description: string | null } {
  return {
    name: filled(block, 'name', readText),
    description: nullable(block, 'description', readText),
  };
}

function groupChat(block: Block, type: GroupChatWorkflow['type']): GroupChatWorkflow {
  return {
    type,
    ...named(block),
    participants: required(block, 'participants', readSteps, []),
    rounds: optional(block, 'rounds', readInteger, 1),
    max_iterations: nullable(block, 'max_iterations', readInteger),
  };
}

function handoff(block: Block): HandoffWorkflow {
  return {
    type: 'handoff',
    ...named(block),
    participants: required(block, 'participants', readSteps, []),
    selector: optional(block, 'selector', readSelector, { type: 'sequence', sequence: [] }),
    max_iterations: nullable(block, 'max_iterations', readInteger),
  };
}

function ofType(block: Block, type: Workflow['type']): Workflow {
  switch (type) {
    case 'sequential':
      return { type, ...named(block), steps: required(block, 'steps', readSteps, []) };
    case 'graph':
      return {
        type,
        ...named(block),
        start: required(block, 'start', readText, ''),
        nodes: required(block, 'nodes', readNodes, {}),
        edges: required(block, 'edges', readEdges, []),
        max_steps: optional(block, 'max_steps', readInteger, 50),
      };
    case 'concurrent':
      return {
        type,
        ...named(block),
        participants: required(block, 'participants', readSteps, []),
        max_iterations: nullable(block, 'max_iterations', readInteger),
      };
    case 'handoff':
      return handoff(block);
    case 'group-chat':
    case 'group_chat':
      return groupChat(block, type);
  }
}

/** A workflow block; `type` decides which fields it has, so nothing else is read without it. */
export const readWorkflow: Reader<Workflow> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a workflow');
  const before = findings.length;
  const type = required(block, 'type', readWorkflowType, 'sequential');
  if (block.broken || findings.length > before) return NO_WORKFLOW;
  const workflow = ofType(block, type);
  closeBlock(block, BLOCKS[type === 'group_chat' ? 'group-chat' : type].fields);
  return workflow;
};

const NO_WORKFLOW: Workflow = { type: 'sequential', name: null, description: null, steps: [] };
