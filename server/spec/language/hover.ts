import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';
import { resolved, type SourceMap, type SourceNode, type SourceRange } from '../yaml/source-map.ts';
import { flowSpotAt } from './flow/flow-spot.ts';
import { schemaAt, textAt } from './locate.ts';
import { declarationOf, type NameSpot, nameAt } from './name-index.ts';
import type { OpenDocument } from './open-document.ts';
import { type AttachedRegistry, aboutReference, referenceAt } from './registry.ts';

/** Help about what stands at a place, as Markdown. */
export interface Hover {
  readonly markdown: string;
  readonly range: SourceRange;
}

const MAX_FACTS = 6;
const MAX_FACT = 80;

function typeText(field: FieldHelp): string {
  const holds = field.holds === undefined ? '' : `${field.holds} of `;
  return `${holds}${field.type}${field.nullable ? ' or null' : ''}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function fieldHelp(key: string, field: FieldHelp, block: BlockName | null): string {
  const lines = [
    `**${key}** — ${typeText(field)}${field.required ? ', required' : ''}`,
    '',
    field.help,
  ];
  if (block !== null && field.holds === undefined) lines.push('', BLOCKS[block].help);
  if (field.values !== undefined) lines.push('', `One of ${field.values.map(code).join(', ')}.`);
  if (field.standard !== undefined) lines.push('', `Default: ${code(field.standard)}.`);
  return lines.join('\n');
}

function factText(node: SourceNode): string | undefined {
  const target = resolved(node);
  if (target.kind === 'scalar') {
    const [line = ''] = String(target.value).split('\n');
    return code(line.length > MAX_FACT ? `${line.slice(0, MAX_FACT - 1)}…` : line);
  }
  if (target.kind === 'list') {
    const texts = target.items.map((item) => resolved(item));
    return texts.every((item) => item.kind === 'scalar')
      ? texts.map((item) => code(String(item.value))).join(', ')
      : `${texts.length} items`;
  }
  const kind = textAt(target, 'type') ?? textAt(target, 'name');
  return kind === undefined ? undefined : code(kind);
}

/** The first facts of an element, one a line. */
function facts(node: SourceNode | undefined): string[] {
  const target = node && resolved(node);
  if (target?.kind !== 'map') return [];
  return target.entries
    .filter(({ key }) => key !== 'description' && key !== 'name')
    .flatMap(({ key, value }) => {
      const text = factText(value);
      return text === undefined || text === '``' ? [] : [`- ${key}: ${text}`];
    })
    .slice(0, MAX_FACTS);
}

function nameHover(document: OpenDocument, name: NameSpot): Hover {
  const { source } = document;
  const declared = declarationOf(document.names(), name);
  const node = declared && declaredAt(source, declared);
  const parts = [`**${name.name}** — ${name.kind.replace('_', ' ')}`];
  const about = textAt(node, 'description');
  if (about !== undefined) parts.push(about);
  const known = facts(node);
  if (known.length > 0) parts.push(known.join('\n'));
  if (declared === undefined) parts.push('Nothing declares this name.');
  const range = { start: source.positionOf(name.start), end: source.positionOf(name.end) };
  return { markdown: parts.join('\n\n'), range };
}

/** The element that has a name: the entry under its key, or the step that has the id. */
function declaredAt(source: SourceMap, { kind, path }: NameSpot): SourceNode | undefined {
  const place = kind === 'step' && path.at(-1) === 'id' ? path.slice(0, -1) : path;
  return source.find(place)?.node;
}

function fieldHover(source: SourceMap, offset: number): Hover | undefined {
  const path = source.pathAt(offset);
  const spot = schemaAt(source.root, path);
  const place = source.find(path);
  const flow = flowSpotAt(source.root, path);
  const field = flow?.field ?? spot.field;
  const key = flow?.field === undefined ? spot.key : flow.key;
  if (field === null || key === null || place === undefined) return undefined;
  const onKey =
    place.key !== undefined && place.key.start.offset <= offset && offset <= place.key.end.offset;
  if (!onKey && place.node.kind !== 'scalar') return undefined;
  const about = flow?.about === undefined ? '' : `\n\n${flow.about}`;
  const markdown = fieldHelp(key, field, flow === undefined ? spot.block : null) + about;
  return { markdown, range: onKey && place.key ? place.key : place.value };
}

function registryHover(
  document: OpenDocument,
  offset: number,
  registry: AttachedRegistry | null,
): Hover | undefined {
  const { source } = document;
  const reference = referenceAt(document, source.pathAt(offset));
  const spot = reference && source.find(reference.path);
  if (reference === undefined || spot === undefined) return undefined;
  const { start, end } = spot.value;
  if (offset < start.offset || offset > end.offset) return undefined;
  return { markdown: aboutReference(reference, registry), range: spot.value };
}

/**
 * Help for an offset of a text: the field, what a name refers to, or an entry of a registry.
 * Undefined where there is none.
 */
export function hoverAt(
  document: OpenDocument,
  offset: number,
  registry: AttachedRegistry | null = null,
): Hover | undefined {
  const entry = registryHover(document, offset, registry);
  if (entry !== undefined) return entry;
  const name = nameAt(document.names(), offset);
  return name === undefined ? fieldHover(document.source, offset) : nameHover(document, name);
}
