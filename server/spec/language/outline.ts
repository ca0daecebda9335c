import { formatPath, type Path } from '../values/path.ts';
import {
  resolved,
  type SourceEntry,
  type SourceMap,
  type SourceNode,
  type SourceRange,
} from '../yaml/source-map.ts';
import { textAt } from './locate.ts';
import type { OpenDocument } from './open-document.ts';

/** A named part of a document. `range` is the whole part, `selection` its name. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'section' | 'agent' | 'workflow' | 'step' | 'edge' | 'part' | 'value';
  readonly path: string;
  readonly range: SourceRange;
  readonly selection: SourceRange;
  readonly children: readonly OutlineItem[];
}

type Kind = OutlineItem['kind'];

interface Making {
  readonly source: SourceMap;
}

function rangeOf({ source }: Making, start: number, end: number): SourceRange {
  return { start: source.positionOf(start), end: source.positionOf(end) };
}

function item(
  making: Making,
  entry: SourceEntry,
  path: Path,
  kind: Kind,
  detail: string,
  children: OutlineItem[] = [],
): OutlineItem {
  return {
    name: entry.key,
    detail,
    kind,
    path: formatPath(path),
    range: rangeOf(making, entry.keyStart, Math.max(entry.keyEnd, entry.value.end)),
    selection: rangeOf(making, entry.keyStart, entry.keyEnd),
    children,
  };
}

function entriesOf(node: SourceNode | undefined): readonly SourceEntry[] {
  const target = node && resolved(node);
  return target?.kind === 'map' ? target.entries : [];
}

function stepDetail(node: SourceNode): string {
  return [textAt(node, 'kind'), textAt(node, 'ref')].filter((part) => part !== undefined).join(' ');
}

function listedSteps(making: Making, list: SourceEntry, path: Path): OutlineItem[] {
  const target = resolved(list.value);
  if (target.kind !== 'list') return [];
  return target.items.map((step, index) => {
    const scalar = resolved(step);
    const name =
      textAt(step, 'id') ?? (scalar.kind === 'scalar' ? String(scalar.value) : `[${index}]`);
    const range = rangeOf(making, step.start, step.end);
    const at = formatPath([...path, index]);
    return {
      name,
      detail: stepDetail(step),
      kind: 'step',
      path: at,
      range,
      selection: range,
      children: [],
    };
  });
}

function workflowParts(making: Making, workflow: SourceNode, path: Path): OutlineItem[] {
  return entriesOf(workflow).flatMap((entry) => {
    const at = [...path, entry.key];
    if (entry.key === 'steps' || entry.key === 'participants')
      return listedSteps(making, entry, at);
    if (entry.key !== 'nodes') return [];
    return entriesOf(entry.value).map((node) =>
      item(making, node, [...at, node.key], 'step', stepDetail(node.value)),
    );
  });
}

function named(making: Making, section: SourceEntry, path: Path): OutlineItem[] {
  return entriesOf(section.value).map((entry) => {
    const at = [...path, entry.key];
    const detail = textAt(entry.value, 'type') ?? textAt(entry.value, 'description') ?? '';
    if (section.key === 'workflows') {
      return item(making, entry, at, 'workflow', detail, workflowParts(making, entry.value, at));
    }
    return item(making, entry, at, section.key === 'agents' ? 'agent' : 'part', detail);
  });
}

function section(making: Making, entry: SourceEntry): OutlineItem {
  const path = [entry.key];
  if (entry.key === 'agent')
    return item(making, entry, path, 'agent', textAt(entry.value, 'name') ?? '');
  if (entry.key === 'workflow') {
    const detail = [textAt(entry.value, 'type'), textAt(entry.value, 'name')]
      .filter((part) => part !== undefined)
      .join(' ');
    return item(making, entry, path, 'workflow', detail, workflowParts(making, entry.value, path));
  }
  if (entry.key === 'components') {
    const parts = entriesOf(entry.value).map((part) => {
      const at = [...path, part.key];
      return item(making, part, at, 'section', '', named(making, part, at));
    });
    return item(making, entry, path, 'section', '', parts);
  }
  const target = resolved(entry.value);
  if (target.kind === 'scalar') return item(making, entry, path, 'value', String(target.value));
  return item(making, entry, path, 'section', '', named(making, entry, path));
}

/** The parts of a text by name, as far as it can be read. */
export function outlineOf({ source }: OpenDocument): OutlineItem[] {
  return entriesOf(source.root).map((entry) => section({ source }, entry));
}
