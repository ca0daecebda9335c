import type { Spec } from '../../schema/spec-types.ts';
import { loadSpec } from '../load-spec.ts';

/** A spec of a root agent and what a test adds. */
export function specOf(document: object): Spec {
  const loaded = loadSpec({ base: { version: 'v1', agent: { name: 'root' }, ...document } });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.spec;
}
