import { isObject, type JsonObject } from '../../kernel/json.ts';
import { confinePath, readConfinedText } from '../../runtime/spec-files.ts';
import type { Diagnostic } from '../../spec/diagnostic.ts';
import { layerDocuments } from '../../spec/overlay.ts';
import { formatOfFile, parseWholeText } from '../../spec/parse-yaml.ts';
import { refuse } from '../refuse.ts';

/** What a request says about its spec. */
export interface SpecSource {
  readonly spec: JsonObject | null;
  readonly spec_path: string | null;
  readonly overlays: readonly string[];
  readonly overrides: JsonObject;
}

/** The documents of a request, read and confined; `diagnostics` when a file is no document. */
export type SpecDocuments =
  | {
      readonly kind: 'documents';
      readonly base: JsonObject;
      readonly overlays: readonly JsonObject[];
      /** Absolute and real; null for an inline spec without a path. */
      readonly specPath: string | null;
      readonly byPath: boolean;
    }
  | {
      readonly kind: 'unreadable_text';
      readonly diagnostics: readonly Diagnostic[];
      readonly specPath: string | null;
    };

const CONFINED = {
  spec_path: 'spec_path is outside the spec root.',
  overlay: 'An overlay path is outside the spec root.',
  skill: 'A skill source is outside the spec root.',
} as const;

/** Resolves one path below the spec root. @throws Refusal spec_path_confined, without the path. */
export async function confine(
  root: string,
  file: string,
  what: keyof typeof CONFINED,
): Promise<string> {
  const confined = await confinePath(root, file);
  if (!confined.ok) throw refuse('spec_path_confined', { message: CONFINED[what] });
  return confined.path;
}

type Parsed =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

async function readDocument(file: string, what: string): Promise<Parsed> {
  const read = await readConfinedText(file);
  if (!read.ok) {
    throw refuse('invalid_request', { message: `The ${what} file cannot be read.` });
  }
  const parsed = parseWholeText(read.text, formatOfFile(file));
  return parsed.value === undefined
    ? { ok: false, diagnostics: parsed.diagnostics }
    : { ok: true, value: parsed.value };
}

/** Confines the sources of declared skills of the layered document. */
async function confineSkills(root: string, document: JsonObject): Promise<void> {
  const skills = document['skills'];
  if (!isObject(skills)) return;
  for (const skill of Object.values(skills)) {
    if (isObject(skill) && typeof skill['source'] === 'string') {
      await confine(root, skill['source'], 'skill');
    }
  }
}

/**
 * Reads base and overlays (contract/platform.md 2.1 step 10 and 3.13): a spec or a path must be
 * given (400), every path is confined (422), an unreadable file is 400, text that is no document is
 * a finding.
 */
export async function loadDocuments(root: string, source: SpecSource): Promise<SpecDocuments> {
  if (source.spec === null && source.spec_path === null) {
    throw refuse('invalid_request', { message: 'Give spec or spec_path.' });
  }
  const specPath =
    source.spec_path === null ? null : await confine(root, source.spec_path, 'spec_path');
  const overlayPaths: string[] = [];
  for (const overlay of source.overlays) {
    overlayPaths.push(await confine(root, overlay, 'overlay'));
  }
  let base = source.spec;
  if (base === null && specPath !== null) {
    const parsed = await readDocument(specPath, 'spec');
    if (!parsed.ok) {
      return { kind: 'unreadable_text', diagnostics: parsed.diagnostics, specPath };
    }
    base = parsed.value;
  }
  const overlays: JsonObject[] = [];
  for (const overlay of overlayPaths) {
    const parsed = await readDocument(overlay, 'overlay');
    if (!parsed.ok) {
      return { kind: 'unreadable_text', diagnostics: parsed.diagnostics, specPath };
    }
    overlays.push(parsed.value);
  }
  const baseDocument = base ?? {};
  await confineSkills(root, layerDocuments(baseDocument, overlays, source.overrides));
  return {
    kind: 'documents',
    base: baseDocument,
    overlays,
    specPath,
    byPath: source.spec === null,
  };
}
