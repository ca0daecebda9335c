import type { Element, ElementDocument, ElementWire } from '../elements/document.ts';
import { readYaml } from '../read-yaml.ts';
import { unparseable } from '../source-refused.ts';
import { hasText, listOf, mapOf, textOf, type Value, type ValueMap } from '../value.ts';

const MAX_PARTS = 8;
const NEXT = /^---(?=\s|$)/m;

/** An agent of a crew, by its key. */
export interface CrewAgent {
  readonly key: string;
  readonly index: number;
  readonly settings: ValueMap;
}

export interface CrewDocument extends ElementDocument {
  /** One for each task, in their order. */
  readonly elements: readonly Element[];
  readonly agents: ReadonlyMap<string, CrewAgent>;
  readonly crew: ValueMap;
}

function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line) || line.startsWith('%'));
}

/** True when each value is a mapping with such a member. */
function holds(value: ValueMap, member: string): boolean {
  if (value.size === 0) return false;
  return [...value.values()].every((item) => item instanceof Map && item.has(member));
}

/**
 * Reads the files of a crew as one mapping: `agents`, `tasks` and, where it is written, `crew`. They
 * come as one such mapping, or as the two files of a project behind each other.
 */
export function readCrew(raw: string): ValueMap {
  const parts = raw.split(NEXT).filter((part) => !isBlank(part));
  if (parts.length > MAX_PARTS) throw unparseable(`A crew has at most ${MAX_PARTS} documents.`);
  const root: ValueMap = new Map();
  for (const part of parts.map(readYaml)) {
    if (!(part instanceof Map)) throw unparseable('A file of the crew is not a mapping.');
    if (holds(part, 'role')) root.set('agents', part);
    else if (holds(part, 'description')) root.set('tasks', part);
    else for (const [key, value] of part) root.set(key, value);
  }
  return root;
}

function readTask(key: string, value: Value, index: number): Element {
  const locator = `$.tasks.${key}`;
  if (!(value instanceof Map)) throw unparseable(`Task ${key} is not a mapping.`, { locator });
  return {
    index,
    id: `tasks.${key}`,
    title: key,
    type: 'task',
    settings: value,
    position: null,
    parent: null,
    ref: { source_id: `tasks.${key}`, source_label: key, locator },
  };
}

/** Checks the shape of a crew (importers 16). */
export function loadCrew(root: ValueMap): CrewDocument {
  const [agents, tasks] = [root.get('agents'), root.get('tasks')];
  if (!(agents instanceof Map)) {
    throw unparseable('The file has no agents: give agents.yaml and tasks.yaml together.', {
      locator: '$.agents',
    });
  }
  if (!(tasks instanceof Map)) {
    throw unparseable('The file has no tasks: give agents.yaml and tasks.yaml together.', {
      locator: '$.tasks',
    });
  }
  const elements = [...tasks].map(([key, value], index) => readTask(key, value, index));
  const wires: ElementWire[] = elements.slice(1).map((element, index) => ({
    source: elements[index]?.id ?? '',
    target: element.id,
    output: 0,
  }));
  const crew = mapOf(root.get('crew'));
  const name = textOf(crew.get('name'));
  return {
    source: 'crewai',
    name: hasText(name) ? name : 'crew',
    elements,
    wires,
    agents: new Map(
      [...agents].map(([key, value], index) => [key, { key, index, settings: mapOf(value) }]),
    ),
    crew,
  };
}

/** The agent that a task names. */
export function agentOf(task: Element, doc: CrewDocument): CrewAgent | undefined {
  return doc.agents.get(textOf(task.settings.get('agent')) ?? '');
}

/** The tasks whose results a task asks for; undefined when it does not say. */
export function contextOf(task: Element): readonly string[] | undefined {
  const written = task.settings.get('context');
  if (!Array.isArray(written)) return undefined;
  return listOf(written).map((item) => textOf(item) ?? '?');
}
