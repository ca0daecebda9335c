import type { JsonObject } from '../../kernel/json.ts';
import type { SketchedPart } from '../../spec/edit/function-sketch.ts';
import { type DraftElement, valueAt } from './draft-steps.ts';

/** What begins the names of implementations that an import gives to what it has no code for. */
const PLACEHOLDER = 'imported.';

/** The functions and tools of an element that wait for code to be written. */
export function missingCode(
  document: JsonObject,
  { steps, components, tools }: DraftElement,
): readonly SketchedPart[] {
  const functions = [
    ...steps.flatMap(({ kind, ref }) => (kind === 'function' ? [ref] : [])),
    ...components.flatMap(([, section, name]) => (section === 'functions' ? [String(name)] : [])),
  ];
  const parts: readonly SketchedPart[] = [
    ...[...new Set(functions)].map((name) => ({ kind: 'function' as const, name })),
    ...tools.map((name) => ({ kind: 'tool' as const, name })),
  ];
  return parts.filter(({ kind, name }) => {
    const place = kind === 'tool' ? ['tools', name] : ['components', 'functions', name];
    const named = valueAt(document, [...place, 'implementation']);
    return typeof named === 'string' && named.startsWith(PLACEHOLDER);
  });
}
