import {
  type RegistryReference,
  registryReferences,
  withoutReferences,
} from '../reports/registry-references.ts';
import { type PlacedDiagnostic, type TextValidation, validateDocument } from '../rules/validate.ts';
import { isTooDeep } from '../yaml/json-nodes.ts';
import {
  type ParsedDocument,
  parseSpecText,
  readDocument,
  type SpecFormat,
} from '../yaml/parse-yaml.ts';
import { type ReadText, reparseYaml } from '../yaml/reparse.ts';
import type { SourceMap, SourceNode } from '../yaml/source-map.ts';
import type { SyntaxTree } from '../yaml/syntax.ts';
import { parseYamlTree } from '../yaml/tree.ts';
import { flowFindings } from './flow/flow-findings.ts';
import { type NameSpot, namesIn } from './name-index.ts';
import { unbuildable } from './unbuildable.ts';

/**
 * One version of a text in an editor. It is read once for all answers about it, and a version that
 * differs little from the one before only where it differs. A broken text still has a `source`: a
 * fault costs the part it stands in.
 */
export interface OpenDocument {
  readonly text: string;
  readonly format: SpecFormat;
  readonly parsed: ParsedDocument;
  readonly source: SourceMap;
  /** The newest version, this one or an earlier one, that was read without a fault. */
  readonly sound: ReadText | undefined;
  names(): readonly NameSpot[];
  validation(): TextValidation;
  /** The entries of a registry that it names. */
  registry(): readonly RegistryReference[];
  /** What an editor marks: the findings of the check, what is valid and cannot be built, and settings of imported flows. */
  findings(): readonly PlacedDiagnostic[];
  /** The tree of a variation of the text. */
  treeOf(text: string): SourceNode | undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Reads a version: only where it differs from a sound one, if that can be told; else the whole. */
function readTree(text: string, sound: ReadText | undefined): SyntaxTree {
  const part = sound && reparseYaml(sound, text);
  return part === undefined ? parseYamlTree(text) : { root: part, problems: [] };
}

function registryOf({ source, value }: ParsedDocument): readonly RegistryReference[] {
  const named = value !== undefined && source.text.includes('$registry') && !isTooDeep(value);
  return named ? registryReferences(value) : [];
}

/** Opens a version of a text; `before` is an earlier version of the same text, if there is one. */
export function openDocument(
  text: string,
  format: SpecFormat = 'yaml',
  before?: OpenDocument,
): OpenDocument {
  const earlier = before?.format === format ? before.sound : undefined;
  const parsed =
    format === 'json' ? parseSpecText(text, format) : readDocument(text, readTree(text, earlier));
  const { source } = parsed;
  const whole = format === 'yaml' && parsed.problems.length === 0;
  const sound = whole ? { text, root: source.root } : earlier;
  const registry = once(() => registryOf(parsed));
  // What runs is checked after its references were filled in (studio.md 9.2).
  const validation = once(() =>
    validateDocument(
      parsed.value === undefined || registry().length === 0
        ? parsed
        : { ...parsed, value: withoutReferences(parsed.value) },
    ),
  );
  return {
    text,
    format,
    parsed,
    source,
    sound,
    names: once(() => namesIn(source.root)),
    validation,
    registry,
    findings: once(() => [
      ...validation().diagnostics,
      ...unbuildable(validation()),
      ...flowFindings(parsed),
    ]),
    treeOf: (variation) => readTree(variation, sound).root,
  };
}
