import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import { looksSecret } from '../../../kernel/secret-names.ts';
import type { Definition, Loss, NodePayload } from '../../graph-ir.ts';
import { jsonOf } from '../../json-of.ts';
import type { Protector } from '../../secrets.ts';
import { at, hasText, textOf, type Value } from '../../value.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { calledWorkflow, workflowReference } from '../roles.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { jobOf } from './job.ts';

const MAX_TEXT = 4000;
const SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

/** The parameters of an element as data, without secrets and without endless texts. */
function parameterData(node: N8nNode, protector: Protector): JsonObject {
  const rule = (key: string, text: string): string | undefined => {
    if (looksSecret(key)) return '<redacted>';
    const safe = protector.scrub(text);
    return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…`.toWellFormed() : safe;
  };
  const scrub = (text: string): string => protector.scrub(text);
  const out: JsonObject = {};
  for (const [key, value] of node.parameters) {
    const json = jsonOf(value, rule, key, scrub);
    if (json !== undefined) setOwn(out, scrub(key), json);
  }
  return out;
}

/** The function that stands for an element: a symbol to fill, and what the source had set. */
export function functionDefinition(node: N8nNode): Definition {
  return (name, protector) => ({
    implementation: `imported.${name}`,
    input_schema: {
      title: protector.scrub(node.name),
      'x-source-type': node.type,
      default: parameterData(node, protector),
    },
  });
}

const CODE_TYPES: ReadonlySet<string> = new Set(
  ['code', 'function', 'functionItem', 'aiTransform', 'executeCommand'].map((t) => BASE + t),
);

/** Written outputs beside the one for errors. */
function regularPorts(node: N8nNode, scene: Scene): number {
  const written = scene.doc.mainPorts.get(node.id) ?? 1;
  return written - (node.onError === 'continueErrorOutput' ? 1 : 0);
}

function functionLoss(node: N8nNode, scene: Scene): Loss {
  const known = jobOf(node);
  const own = known === undefined ? 'is a step of its own kind' : `does "${known}"`;
  const job = CODE_TYPES.has(node.type) ? 'runs code of its own' : own;
  const detail = `"${node.name}" ${job} (${node.type}); a function step holds its place and its settings.`;
  const todo =
    regularPorts(node, scene) > 1
      ? 'Name the function that does this job, and write the conditions of the edges after it.'
      : 'Name the function that does this job.';
  return { ref: node.ref, kind: 'proprietary_node', detail, todo };
}

/** Any element on the wire without a form of its own: a function that keeps its place. */
export const FUNCTION_STEP: NodeReader = {
  losses: (node, scene) => [functionLoss(node, scene)],
  outputs: (node, scene) => {
    const ports = regularPorts(node, scene);
    if (ports <= 1) return [{ position: 0, role: 'default' }];
    return Array.from({ length: ports }, (_, position) => ({ position, role: 'case' }));
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'function',
    definition: functionDefinition(node),
  }),
};

function carried(node: N8nNode, severity: 'info' | 'manual', detail: string, todo: string): Loss {
  return { ref: node.ref, kind: 'carried_as', severity, detail, todo };
}

/** An element that flow passes unchanged. */
export const PASS_THROUGH: NodeReader = {
  losses: (node) => [
    carried(
      node,
      'info',
      `"${node.name}" changes nothing on the way; the flow passes it.`,
      'Nothing to do.',
    ),
  ],
  payload: () => ({ kind: 'passthrough' }),
};

/** A merge that appends: the step after it gets what its inputs gave. */
export const MERGE: NodeReader = {
  losses: (node) => {
    const detail = `"${node.name}" puts the results of its inputs one after the other; in the draft the next step gets them as they come.`;
    return [carried(node, 'manual', detail, 'Check the order of the results.')];
  },
  payload: () => ({ kind: 'passthrough' }),
};

/** An element that ends its path with an error. */
export const STOP: NodeReader = {
  losses: (node) => [
    carried(
      node,
      'manual',
      `"${node.name}" stops the run with an error in the source; in the draft the path ends there.`,
      'Add a step that reports the failure if somebody must know.',
    ),
  ],
  payload: () => ({ kind: 'passthrough' }),
  outputs: () => [],
  closedOutputs: true,
};

/** Seconds that a wait element waits; undefined when it waits for something else. */
function waitSeconds(node: N8nNode): number | undefined {
  const resume = textOf(node.parameters.get('resume')) ?? 'timeInterval';
  const amount = node.parameters.get('amount') ?? 1;
  const unit = textOf(node.parameters.get('unit')) ?? (node.version >= 1.1 ? 'seconds' : 'hours');
  const factor = SECONDS[unit];
  if (resume !== 'timeInterval' || typeof amount !== 'number' || factor === undefined) {
    return undefined;
  }
  return Math.max(1, Math.round(amount * factor));
}

function literal(value: Value | undefined): string | undefined {
  if (!hasText(value)) return undefined;
  const reading = readText(value);
  return reading.computed ? undefined : reading.text;
}

function waitDefinition(node: N8nNode): Definition {
  const seconds = waitSeconds(node);
  return (_name, protector) => {
    const description = protector.scrub(node.name);
    if (seconds === undefined) return { description, request_type: 'approval' };
    const wait = { timeout_seconds: seconds, on_timeout: 'continue', request_type: 'approval' };
    return { description, ...wait };
  };
}

function waitLoss(node: N8nNode, seconds: number | undefined, step: 'human' | 'function'): Loss {
  if (step === 'function') {
    const detail = `"${node.name}" pauses the run ${seconds} s beside other steps, where no step of the draft can wait; a function step holds its place.`;
    const todo = 'Name a function that waits, or take the step out.';
    return { ref: node.ref, kind: 'proprietary_node', detail, todo };
  }
  const how = seconds === undefined ? 'until it is released' : `${seconds} s, then it goes on`;
  const detail = `"${node.name}" pauses the run; in the draft a human step waits ${how}.`;
  return carried(node, 'manual', detail, 'Take the step out if nothing has to wait.');
}

/** A pause: a human step that goes on by itself when the time is over. */
export const WAIT: NodeReader = {
  losses: (node) => {
    const seconds = waitSeconds(node);
    return seconds === undefined ? [waitLoss(node, seconds, 'human')] : [];
  },
  payload: (node): NodePayload => {
    const seconds = waitSeconds(node);
    const pause = { kind: 'component', step: 'human', definition: waitDefinition(node) } as const;
    if (seconds === undefined) return pause;
    const loss = (step: 'human' | 'function'): Loss => waitLoss(node, seconds, step);
    return { ...pause, timer: { definition: functionDefinition(node), loss } };
  },
};

function humanDefinition(node: N8nNode): Definition {
  const response = textOf(node.parameters.get('responseType')) ?? 'approval';
  const asks =
    literal(node.parameters.get('message')) ?? literal(at(node.parameters, 'options', 'formTitle'));
  const request_type = response === 'approval' && !isForm(node) ? 'approval' : 'freeform';
  return (_name, protector) => ({
    description: protector.scrub(asks ?? node.name),
    request_type,
  });
}

function isForm(node: N8nNode): boolean {
  return node.type === `${BASE}form` || node.type === `${LANGCHAIN}chat`;
}

/** A question to a person: an approval, or an answer in words. */
export const HUMAN: NodeReader = {
  losses: (node) => {
    const detail = `"${node.name}" asks a person and waits (${node.type}); in the draft a human step does.`;
    return [carried(node, 'manual', detail, 'Say who is asked and how they are told.')];
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'human',
    definition: humanDefinition(node),
  }),
};

/** A call of another workflow: a workflow step to an empty component until that one is imported. */
export const SUBWORKFLOW: NodeReader = {
  losses: (node) => {
    const reference = workflowReference(node);
    const target = reference === '' ? 'another workflow' : `the workflow "${reference}"`;
    const detail = `"${node.name}" runs ${target}; an empty component workflow stands for it.`;
    return [{ ref: node.ref, kind: 'subworkflow', detail }];
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'workflow',
    calls: calledWorkflow(node),
    definition: (_name, protector) => ({
      type: 'sequential',
      description: protector.scrub(workflowReference(node) || node.name),
      steps: [],
    }),
  }),
};
