import type { Json } from '../../../kernel/json.ts';
import { valueAt } from '../../edit/edit-text.ts';
import type { BlockName } from '../../schema/field-help.ts';
import { BLOCKS } from '../../schema/help.ts';
import type { Path } from '../../values/path.ts';
import { flowSpotAt } from '../flow/flow-spot.ts';
import { schemaAt, textAt } from '../locate.ts';
import type { OpenDocument } from '../open-document.ts';
import type { Form, FormField, FormSection } from './form.ts';
import { blockFields, fieldsIn, findingsAt } from './form-fields.ts';

/** The elements that have a form. */
const ELEMENTS: ReadonlySet<BlockName> = new Set<BlockName>([
  ...(['agent', 'function', 'human', 'step', 'edge', 'tool', 'skill', 'mcp_server'] as const),
  ...(['workflow', 'sequential', 'graph', 'concurrent', 'handoff', 'group-chat'] as const),
  'guardrail',
]);

/** Where the components of each kind of step stand. */
const COMPONENTS: Readonly<Record<string, string>> = {
  agent: 'agents',
  guardrail: 'agents',
  function: 'functions',
  human: 'humans',
  workflow: 'workflows',
};

function blockAt(document: OpenDocument, path: Path): BlockName | undefined {
  const { block } = schemaAt(document.source.root, path);
  return block !== null && ELEMENTS.has(block) ? block : undefined;
}

/** The element of the language that an imported flow's settings are about. */
function elementOf(path: Path): Path {
  const [first, second, third, key] = path;
  if (first !== 'metadata' || third === undefined) return path;
  if (second === 'flow' && third === 'steps' && key !== undefined)
    return ['workflow', 'nodes', key];
  return second === 'tools' ? ['tools', third] : path;
}

/** The innermost element with a form that a place stands in. */
function elementAt(document: OpenDocument, at: Path): Path | undefined {
  const path = elementOf(at);
  for (let length = path.length; length > 0; length -= 1) {
    const place = path.slice(0, length);
    if (blockAt(document, place) !== undefined && document.source.find(place) !== undefined) {
      return place;
    }
  }
  return undefined;
}

/** A step that is written as the bare name of its agent, in full. */
export function stepInFull(value: Json): Json {
  return typeof value === 'string' ? { id: value, kind: 'agent', ref: value } : value;
}

function nameOf(document: OpenDocument, path: Path): string | null {
  const last = path.at(-1);
  if (typeof last !== 'string' || path.length < 2) return null;
  const holder = schemaAt(document.source.root, path.slice(0, -1)).field;
  return holder?.holds === 'map' ? last : null;
}

function sectionAt(document: OpenDocument, value: Json, path: Path): FormSection | undefined {
  const block = blockAt(document, path);
  if (block === undefined) return undefined;
  const name = nameOf(document, path);
  const held = block === 'step' ? stepInFull(value) : value;
  const fields = blockFields(document, block, path, held).filter(
    // The key of a node names it; the id below it only repeats that.
    ({ key, value: id }) => block !== 'step' || key !== 'id' || name === null || id !== name,
  );
  return {
    ...{ subject: block, path, name, fields },
    help: BLOCKS[block].help,
    about: null,
    findings: findingsAt(document, path, false),
  };
}

/** What the step runs. */
function componentOf(document: OpenDocument, path: Path): Path | undefined {
  const node = document.source.find(path)?.node;
  const holder = COMPONENTS[textAt(node, 'kind') ?? 'agent'];
  const whole = node && valueAt(document.parsed.value ?? {}, path);
  const ref = typeof whole === 'string' ? whole : textAt(node, 'ref');
  if (holder === undefined || ref === undefined) return undefined;
  const component = ['components', holder, ref];
  return document.source.find(component) === undefined ? undefined : component;
}

/** Where an imported workflow keeps what an element was in its source. */
function sourceOf(path: Path): Path | undefined {
  const key = path.at(-1);
  if (typeof key !== 'string') return undefined;
  if (path.length === 3 && path[0] === 'workflow' && path[1] === 'nodes') {
    return ['metadata', 'flow', 'steps', key];
  }
  return path.length === 2 && path[0] === 'tools' ? ['metadata', 'tools', key] : undefined;
}

function flowSection(
  document: OpenDocument,
  path: Path,
  subject: 'flow_step' | 'settings',
): FormSection | undefined {
  const { source, parsed } = document;
  const spot = source.find(path) && flowSpotAt(source.root, path);
  if (spot === undefined) return undefined;
  const value = valueAt(parsed.value ?? {}, path);
  const all = fieldsIn(document, {
    ...{ path, value, open: true, block: null },
    fields: spot.fields ?? {},
  });
  const fields: FormField[] =
    subject === 'settings' ? all : all.filter(({ key }) => key !== 'parameters');
  return {
    ...{ subject, path, fields },
    name: null,
    help: '',
    about: spot.about ?? null,
    findings: findingsAt(document, path, false),
  };
}

/** The form of the innermost element at a place of the document; undefined where there is none, and for a text that cannot be read. */
export function formAt(document: OpenDocument, at: Path): Form | undefined {
  const { value } = document.parsed;
  const path = value && elementAt(document, at);
  if (value === undefined || path === undefined) return undefined;
  const component = blockAt(document, path) === 'step' ? componentOf(document, path) : undefined;
  const source = sourceOf(path);
  const sections = [
    sectionAt(document, valueAt(value, path), path),
    component && sectionAt(document, valueAt(value, component), component),
    source && flowSection(document, [...source, 'parameters'], 'settings'),
    source && flowSection(document, source, 'flow_step'),
  ];
  return { path, sections: sections.filter((section) => section !== undefined) };
}
