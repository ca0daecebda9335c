import { declarationOf, entryAt, type NameSpot, nameAt, namesIn } from './name-index.ts';
import { parseSpecText, type SpecFormat } from './parse-yaml.ts';
import type { BlockName, FieldHelp } from './schema/field-help.ts';
import { BLOCKS } from './schema/help.ts';
import { schemaAt, textAt } from './schema/locate.ts';
import type { SourceMap, SourceRange } from './source-map.ts';

/** Help about what stands at a place, as Markdown. */
export interface Hover {
  readonly markdown: string;
  readonly range: SourceRange;
}

function typeText(field: FieldHelp): string {
  const holds = field.holds === undefined ? '' : `${field.holds} of `;
  return `${holds}${field.type}${field.nullable ? ' or null' : ''}`;
}

function fieldHelp(key: string, field: FieldHelp, block: BlockName | null): string {
  const lines = [
    `**${key}** — ${typeText(field)}${field.required ? ', required' : ''}`,
    '',
    field.help,
  ];
  if (block !== null && field.holds === undefined) lines.push('', BLOCKS[block].help);
  if (field.values !== undefined) {
    lines.push('', `One of ${field.values.map((value) => `\`${value}\``).join(', ')}.`);
  }
  if (field.standard !== undefined) lines.push('', `Default: \`${field.standard}\`.`);
  return lines.join('\n');
}

function nameHover(names: readonly NameSpot[], name: NameSpot, source: SourceMap): Hover {
  const declared = declarationOf(names, name);
  const entry = declared && entryAt(source.root, declared.path);
  const about = textAt(entry?.value, 'description') ?? textAt(entry?.value, 'system_prompt');
  const parts = [`**${name.name}** — ${name.kind.replace('_', ' ')}`];
  if (about !== undefined) parts.push(about);
  if (declared === undefined) parts.push('Nothing declares this name.');
  const range = { start: source.positionOf(name.start), end: source.positionOf(name.end) };
  return { markdown: parts.join('\n\n'), range };
}

function fieldHover(source: SourceMap, offset: number): Hover | undefined {
  const path = source.pathAt(offset);
  const spot = schemaAt(source.root, path);
  const place = source.find(path);
  if (spot.field === null || spot.key === null || place === undefined) return undefined;
  const onKey =
    place.key !== undefined && place.key.start.offset <= offset && offset <= place.key.end.offset;
  if (!onKey && place.node.kind !== 'scalar') return undefined;
  const markdown = fieldHelp(spot.key, spot.field, spot.block);
  return { markdown, range: onKey && place.key ? place.key : place.value };
}

/** Help for an offset of a text: the field, or what a name refers to. Undefined where there is none. */
export function hoverAt(
  text: string,
  offset: number,
  format: SpecFormat = 'yaml',
): Hover | undefined {
  const { source } = parseSpecText(text, format);
  const names = namesIn(source.root);
  const name = nameAt(names, offset);
  return name === undefined ? fieldHover(source, offset) : nameHover(names, name, source);
}
