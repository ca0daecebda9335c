import type { JsonObject } from '../../kernel/json.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { Findings } from './block.ts';
import { readBlock } from './read-block.ts';
import type { Spec } from './spec-types.ts';

const readSpec = readBlock('root');

/** A shape check's outcome: the spec with all defaults, or one E_SCHEMA finding per place. */
export type SchemaCheck =
  | { readonly spec: Spec; readonly diagnostics: [] }
  | { readonly spec: undefined; readonly diagnostics: Diagnostic[] };

/**
 * Checks the shape of a normalized document (spec-v1 4) and fills in the defaults. Open blocks are
 * taken over by reference, so the spec must not be changed in place.
 */
export function checkSchema(document: JsonObject): SchemaCheck {
  const findings: Findings = [];
  const spec = readSpec(document, '', findings, false);
  return findings.length === 0
    ? { spec: spec as Spec, diagnostics: [] }
    : { spec: undefined, diagnostics: findings };
}
