import type { Element, ReadElement } from '../elements/document.ts';
import { ABSENT, carried, numberIn, textField, toolDefinition } from '../elements/parts.ts';
import type { Loss, Tool } from '../graph-ir.ts';
import { hasText, listOf, textOf, type ValueMap } from '../value.ts';
import { agentOf, type CrewAgent, type CrewDocument, contextOf } from './load.ts';
import { readModel } from './models.ts';

const PLACEHOLDER = /\{([A-Za-z_][\w-]{0,60})\}/g;
const TEXTS = ['role', 'goal', 'backstory'] as const;
const TASK_TEXTS = ['description', 'expected_output'] as const;
const FORMATS = ['output_json', 'output_pydantic', 'output_file', 'markdown'] as const;

function textsOf(settings: ValueMap, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const text = settings.get(key);
    return hasText(text) ? [text.trim()] : [];
  });
}

function line(label: string, settings: ValueMap, key: string): string {
  const text = textOf(settings.get(key))?.trim() ?? '';
  return text === '' ? '' : `${label}: ${text}`;
}

function promptOf(task: Element, agent: CrewAgent | undefined): string {
  const own = agent?.settings ?? new Map();
  return [
    line('Role', own, 'role'),
    line('Goal', own, 'goal'),
    textOf(own.get('backstory'))?.trim() ?? '',
    line('Task', task.settings, 'description'),
    line('Expected output', task.settings, 'expected_output'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Values that the caller of a run gives, each once. */
function inputLosses({ ref, title, settings }: Element, agent: CrewAgent | undefined): Loss[] {
  const texts = [...textsOf(settings, TASK_TEXTS), ...textsOf(agent?.settings ?? new Map(), TEXTS)];
  const names = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
  );
  return [...new Set(names)].map((name) => {
    const detail = `The source puts the value of {${name}} into the texts of "${title}"; the draft has the name in its place.`;
    return { ref, kind: 'run_input', detail, about: 'prompt' };
  });
}

function isOn(value: unknown): boolean {
  return value === true || hasText(typeof value === 'string' ? value : undefined);
}

/** What a task is given of the tasks before it. */
function contextLosses(task: Element, doc: CrewDocument): Loss[] {
  const { ref, title, index } = task;
  const asked = contextOf(task);
  const before = doc.elements[index - 1]?.title;
  if (asked === undefined) {
    if (index < 2) return [];
    const detail = `"${title}" is given the results of all tasks before it; the draft gives it that of "${before}".`;
    return [carried(task, 'manual', detail, 'Check that the last result is enough.')];
  }
  if (asked.length === 1 && asked[0] === before) return [];
  const unknown = asked.filter((key) => !doc.elements.some(({ title: other }) => other === key));
  if (unknown.length > 0) {
    const detail = `"${title}" asks for the results of tasks that are not in the file: ${unknown.join(', ')}.`;
    return [{ ref, kind: 'source_cannot_run', detail }];
  }
  const given = before === undefined ? 'the input of the run' : `that of "${before}"`;
  const words = asked.length === 0 ? 'no result' : `the results of ${asked.join(', ')}`;
  const detail = `"${title}" is given ${words}; the draft gives it ${given}.`;
  return [{ ref, kind: 'branching_shape', detail, about: 'flow' }];
}

function runLosses({ ref, title, settings }: Element): Loss[] {
  const out: Loss[] = [];
  if (settings.get('async_execution') === true) {
    const detail = `"${title}" runs beside the tasks after it; the draft waits for it.`;
    out.push({ ref, kind: 'execution_setting', detail });
  }
  if (isOn(settings.get('guardrail'))) {
    const detail = `"${title}" is checked by a guardrail, and done again when it fails.`;
    out.push({ ref, kind: 'execution_setting', detail, about: 'run' });
  }
  const formats = FORMATS.filter((key) => isOn(settings.get(key)));
  if (formats.length > 0) {
    const detail = `"${title}" gives its result in a form of its own (${formats.join(', ')}); the draft gives a text.`;
    out.push({ ref, kind: 'output_formatting_not_carried', detail });
  }
  return out;
}

function agentLosses({ ref, title }: Element, agent: CrewAgent): Loss[] {
  const out: Loss[] = [];
  if (agent.settings.get('memory') === true) {
    const detail = `"${title}" is done by "${agent.key}", which remembers what it did.`;
    out.push({ ref, kind: 'memory', detail });
  }
  if (agent.settings.get('allow_delegation') === true) {
    const detail = `"${agent.key}" may hand work of "${title}" to the other agents; the draft offers it none.`;
    out.push({ ref, kind: 'offered_tool_not_bound', detail });
  }
  return out;
}

function toolsIn(settings: ValueMap, owner: string, locator: string): Tool[] {
  return listOf(settings.get('tools')).flatMap((item, index): Tool[] => {
    if (!hasText(item)) return [];
    const source_id = `${owner}:tools[${index}]`;
    return [
      {
        id: source_id,
        name: item,
        kind: 'function',
        ref: { source_id, source_label: item, locator: `${locator}.tools[${index}]` },
        definition: toolDefinition(item),
      },
    ];
  });
}

/** The tools of a task: its own, else those of its agent. */
function toolsOf(task: Element, agent: CrewAgent | undefined): Tool[] {
  const own = toolsIn(task.settings, task.id, task.ref.locator);
  if (own.length > 0 || agent === undefined) return own;
  return toolsIn(agent.settings, `agents.${agent.key}`, `$.agents.${agent.key}`);
}

function modelLosses(task: Element, agent: CrewAgent | undefined, kept: string | null): Loss[] {
  const { ref, title } = task;
  if (agent === undefined) return [];
  const who = agent.key;
  if (kept !== null) {
    const detail = `The model of "${who}" is kept under the provider "${kept}".`;
    return [carried(task, 'manual', detail, 'Check that the platform knows this provider.')];
  }
  if (agent.settings.get('llm') !== undefined) return [];
  const detail = `"${title}" is done by "${who}", which names no model; the crew uses one that is set elsewhere.`;
  return [{ ref, kind: 'model_unresolved', detail }];
}

/** A task as a step: its agent with what the task asks for. */
export function readTask(task: Element, doc: CrewDocument): ReadElement {
  const agent = agentOf(task, doc);
  const model = readModel(agent?.settings.get('llm'));
  const rounds = numberIn(agent?.settings.get('max_iter'));
  const isBound = rounds !== undefined && Number.isInteger(rounds) && rounds >= 1;
  const strategy = isBound ? { type: 'react', max_iterations: rounds } : { type: 'react' };
  const losses = [
    ...inputLosses(task, agent),
    ...contextLosses(task, doc),
    ...runLosses(task),
    ...modelLosses(task, agent, model.kept),
    ...(agent === undefined ? [noAgent(task)] : agentLosses(task, agent)),
  ];
  return {
    role: 'node',
    payload: {
      kind: 'agent',
      execution: { read: true, display: 'agent' },
      model: model.field,
      prompt: textField(promptOf(task, agent)),
      runInput: ABSENT,
      bound: ABSENT,
      settings: [],
      modelSettings: [],
      extras: { model: model.extras, members: { strategy } },
    },
    losses,
    tools: toolsOf(task, agent),
  };
}

function noAgent(task: Element): Loss {
  const named = textOf(task.settings.get('agent'));
  const detail =
    named === undefined
      ? `"${task.title}" names no agent; who does it is written in code, or decided by a manager.`
      : `"${task.title}" names the agent "${named}", which is not in the file.`;
  const todo = 'Write the instructions of the agent that does it.';
  return { ref: task.ref, kind: 'source_cannot_run', detail, todo };
}

const REVIEW = ':review';

/** The review that follows a task. */
export function reviewOf(task: Element): Element | undefined {
  if (task.settings.get('human_input') !== true) return undefined;
  const id = `${task.id}${REVIEW}`;
  const title = `${task.title} review`;
  const ref = { ...task.ref, source_id: id, source_label: title };
  return { ...task, id, title, type: 'review', settings: new Map(), ref };
}

/** A person who looks at what a task gave. */
export function readReview(review: Element): ReadElement {
  const name = review.title.slice(0, -REVIEW.length);
  const detail = `A person looks at what "${name}" gave; in the draft a human step after it does.`;
  return {
    role: 'node',
    payload: {
      kind: 'component',
      step: 'human',
      definition: (_name, protector) => ({
        description: protector.scrub(`Look at what "${name}" gave.`),
        request_type: 'review',
      }),
    },
    losses: [carried(review, 'info', detail)],
  };
}
