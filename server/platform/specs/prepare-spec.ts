import type { JsonObject } from '../../kernel/json.ts';
import { type LoadedSpec, loadSpec } from '../../spec/load/load-spec.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import { overflowFinding } from '../../spec/rules/overflow.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { refuse } from '../refuse.ts';
import { loadDocuments, type SpecDocuments, type SpecSource } from './load-documents.ts';

/** A request's spec, read, layered and checked against the schema. */
export interface PreparedSpec {
  readonly documents: Extract<SpecDocuments, { kind: 'documents' }>;
  readonly loaded: LoadedSpec;
  /** Environment that policies are looked up by: the request's, else the document's own. */
  readonly environment: string | null;
  /** False when it holds a number that the stored form would lose. */
  readonly canBeKept: boolean;
}

export type Preparation =
  | { readonly ok: true; readonly prepared: PreparedSpec }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** The file looks for a skill outside of the root. */
      readonly leavesRoot: boolean;
    };

export interface PrepareInput extends SpecSource {
  readonly environment: string | null;
}

function documentEnvironment(document: JsonObject | undefined): string | null {
  const metadata = document?.['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return null;
  const environment = metadata['environment'];
  return typeof environment === 'string' && environment !== '' ? environment : null;
}

/** What the schema says already of a place is not said twice. */
function withConfinement(
  found: readonly Diagnostic[],
  confinement: readonly Diagnostic[],
): readonly Diagnostic[] {
  const places = new Set(found.map(({ path }) => path));
  return [...found, ...confinement.filter(({ path }) => !places.has(path))];
}

/**
 * Reads and layers a request's spec. Text that is no document, and an unsupported version in a file,
 * are findings; an unsupported version inline is refused (contract/platform.md 3.10).
 */
export async function prepareSpec(root: string, input: PrepareInput): Promise<Preparation> {
  const documents = await loadDocuments(root, input);
  if (documents.kind === 'unreadable_text') {
    return { ok: false, diagnostics: documents.diagnostics, leavesRoot: false };
  }
  const overflow = overflowFinding(input.spec) ?? overflowFinding(input.overrides);
  const loaded: LoadedSpec =
    overflow === undefined
      ? loadSpec({
          base: documents.base,
          overlays: documents.overlays,
          overrides: input.overrides,
          environment: input.environment,
        })
      : { spec: undefined, diagnostics: [overflow], refusal: null };
  const version = loaded.diagnostics.find(({ code }) => code === 'E_VERSION');
  if (version !== undefined) {
    if (documents.byPath) {
      return { ok: false, diagnostics: loaded.diagnostics, leavesRoot: false };
    }
    throw refuse('invalid_request', { message: version.message });
  }
  const diagnostics = withConfinement(loaded.diagnostics, documents.confinement);
  if (documents.confinement.length > 0) return { ok: false, diagnostics, leavesRoot: true };
  const environment = input.environment ?? documentEnvironment(loaded.document);
  return {
    ok: true,
    prepared: { documents, loaded, environment, canBeKept: overflow === undefined },
  };
}

/** The 400 of a spec that does not compile. */
export function specInvalid(diagnostics: readonly Diagnostic[], message?: string) {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return refuse('spec_invalid', {
    message: message ?? first?.message ?? 'The spec does not compile.',
    details: { diagnostics: listedFindings(diagnostics) },
  });
}
