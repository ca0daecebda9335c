import { isObject, type JsonObject } from '../../kernel/json.ts';
import { confinePath, readConfinedText } from '../../runtime/spec-files.ts';
import { layerDocuments } from '../../spec/load/overlay.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
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
      /** Paths of a file that leave the spec root. */
      readonly confinement: readonly Diagnostic[];
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

/** The 422 of a spec whose skill lies outside of the root. */
export function skillConfined(): Error {
  return refuse('spec_path_confined', { message: CONFINED.skill });
}

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

/** Names of the declared skills whose source lies outside of the root. */
async function skillsOutside(root: string, document: JsonObject): Promise<string[]> {
  const skills = document['skills'];
  if (!isObject(skills)) return [];
  const outside: string[] = [];
  for (const [name, skill] of Object.entries(skills)) {
    if (!isObject(skill) || typeof skill['source'] !== 'string') continue;
    const confined = await confinePath(root, skill['source']);
    if (!confined.ok) outside.push(name);
  }
  return outside;
}

/** Where skills of a file lie outside of the root, as a schema would say it. */
function outsideFindings(names: readonly string[]): Diagnostic[] {
  return names.map((name) => ({
    code: 'E_SCHEMA',
    severity: 'error',
    message: CONFINED.skill,
    path: `skills.${name}.source`,
    suggestion: 'Write it relative to the project, without leaving it.',
  }));
}

/**
 * Reads base and overlays (contract/platform.md 2.1 step 10 and 3.13): a spec or a path must be
 * given (400), every path is confined (422), an unreadable file is 400; text that is no document,
 * and a skill that a file looks for outside of the root, are findings.
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
  const layered = layerDocuments(baseDocument, overlays, source.overrides);
  const outside = await skillsOutside(root, layered);
  const byPath = source.spec === null;
  if (outside.length > 0 && !byPath) {
    throw skillConfined();
  }
  const confinement = outsideFindings(outside);
  return { kind: 'documents', base: baseDocument, overlays, specPath, byPath, confinement };
}
