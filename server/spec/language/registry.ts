import { mayNameRegistry, type RegistryReference } from '../reports/registry-references.ts';
import { type PlacedDiagnostic, placeFinding } from '../rules/validate.ts';
import { findingOf } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { formatPath, type Path } from '../values/path.ts';
import type { OpenDocument } from './open-document.ts';

/** The registry of a binding, as a text is checked against it: names only, never a value. */
export interface AttachedRegistry {
  readonly alias: string;
  readonly names: readonly string[];
}

/** Names of a text that a binding's registry does not have: it would refuse the text (studio.md 9.2). */
export function registryFindings(
  document: OpenDocument,
  { alias, names }: AttachedRegistry,
): PlacedDiagnostic[] {
  const known = new Set(names);
  return document
    .registry()
    .filter(({ name }) => !known.has(name))
    .map(({ path, name }) => {
      const message = `The registry of "${alias}" has no entry "${name}", so nothing can be run there.`;
      const advice = 'Attach a registry that has it (Environments), or name another entry.';
      const place = formatPath([...path, '$registry']);
      const finding = findingOf(
        'warning',
        'W_REGISTRY_ENTRY',
        place,
        message,
        meant(name, names, advice),
      );
      return placeFinding(finding, document.parsed);
    });
}

/** The reference that holds a place of the text. */
export function referenceAt(document: OpenDocument, path: Path): RegistryReference | undefined {
  return document
    .registry()
    .find((one) => one.path.every((segment, index) => segment === path[index]));
}

/** What is told about a reference, as Markdown. */
export function aboutReference(
  { name }: RegistryReference,
  registry: AttachedRegistry | null,
): string {
  const head = `**${name.replaceAll('*', '')}** — entry of a registry`;
  const rest =
    'Its value is filled in when the platform checks or runs the draft; a spec that needs it cannot be exported.';
  if (registry === null) return `${head}\n\n${rest}`;
  const has = registry.names.includes(name);
  const where = `The registry of "${registry.alias}" ${has ? 'has it.' : 'has no such entry.'}`;
  return `${head}\n\n${where} ${rest}`;
}

/** How a reference may be written at a place: whole, as the key of a mapping, or its name alone. */
export function referenceForm(path: Path, atKey: boolean): 'whole' | 'entry' | 'name' | undefined {
  const last = path.at(-1);
  if (!atKey && last === '$registry' && mayNameRegistry(path.slice(0, -1))) return 'name';
  if (!mayNameRegistry(path)) return undefined;
  if (!atKey) return 'whole';
  // A mapping of variables has keys of its own.
  return path.length === 3 && last === 'env' ? undefined : 'entry';
}
