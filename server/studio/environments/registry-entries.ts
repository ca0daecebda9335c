import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { readComponent } from '../artifacts/component-text.ts';
import { noDocument } from '../govern/no-document.ts';

/** Name → value of a registry: what a `$registry` reference is replaced by. */
export type Registry = Readonly<Record<string, Json>>;

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const MAX_ENTRIES = 1000;

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isEntry(value: unknown): value is Json {
  return isPlain(value) || (Array.isArray(value) && value.every(isPlain));
}

/** The usable entries of a stored registry. */
export function storedRegistry(stored: string): Registry {
  const parsed: unknown = JSON.parse(stored);
  const entries = Object.entries(isObject(parsed) ? parsed : {});
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, Json][] => (isEntry(value) ? [[name, value]] : [])),
  );
}

function entryFault(name: string, value: Json): string | undefined {
  if (!NAME.test(name)) {
    return `"${name.slice(0, 80)}" is no name of a registry: small letters, digits, - and _, at most 63.`;
  }
  return isEntry(value) ? undefined : `"${name}" is neither a value nor a list of values.`;
}

/**
 * Reads a registry file, YAML or JSON.
 * @throws Refusal `request_invalid` that names the entry which cannot be used.
 */
export function readRegistryText(text: string): Registry {
  const read = readComponent('registry.yaml', text, { requireContent: true });
  if (!read.ok) throw noDocument(read.reason);
  const entries = Object.entries(read.document satisfies JsonObject);
  if (entries.length > MAX_ENTRIES) throw noDocument(`It has more than ${MAX_ENTRIES} entries.`);
  for (const [name, value] of entries) {
    const fault = entryFault(name, value);
    if (fault !== undefined) throw noDocument(fault);
  }
  return Object.fromEntries(entries);
}

/** `texts.Tidy` → `texts-tidy`. */
function referenceName(offered: string): string {
  return offered.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');
}

/** A registry of the names of code that a platform offers, each under the name that a reference may have. */
export function offeredRegistry(names: Iterable<string>): {
  readonly registry: Registry;
  readonly skipped: readonly string[];
} {
  const registry = new Map<string, Json>();
  const skipped: string[] = [];
  for (const name of [...names].sort()) {
    const reference = referenceName(name);
    if (NAME.test(reference) && !registry.has(reference)) registry.set(reference, name);
    else skipped.push(name);
  }
  return { registry: Object.fromEntries(registry), skipped };
}
