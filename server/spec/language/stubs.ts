import type { Json } from '../../kernel/json.ts';
import { DECLARATIONS } from '../edit/component-stub.ts';
import type { Finding } from '../values/diagnostic.ts';
import type { Path } from '../values/path.ts';

/** The declaration that would answer a finding about a missing name. */
export interface MissingDeclaration {
  readonly what: string;
  readonly name: string;
  readonly path: Path;
  readonly value: Json;
}

/** What is to be declared where so that the name in a finding means something; undefined for others. */
export function missingDeclaration({ missing }: Finding): MissingDeclaration | undefined {
  if (missing === undefined || missing.name.trim() === '') return undefined;
  const { kind, name } = missing;
  const { what, map, stub } = DECLARATIONS[kind];
  return { what, name, path: [...map, name], value: stub(name) };
}
