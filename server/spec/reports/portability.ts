import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { formatPath, type PathSegment } from '../values/path.ts';
import type { PrivilegedPosition } from './privileges.ts';

/** Something that keeps a spec from being handed off (studio.md 9.3). */
export interface PortabilityBlocker {
  code:
    | 'registry_reference'
    | 'filesystem_dependency'
    | 'spec_path_reference'
    | 'unsupported_transport';
  detail: string;
  spec_ref: string | null;
}

export interface PortabilityInput {
  readonly document: JsonObject;
  /** What the capability scan found and replaced. */
  readonly positions: readonly PrivilegedPosition[];
  readonly registryPaths: readonly string[];
  readonly transport: 'remote' | 'shared_filesystem';
  /** True when a text names a place inside the project's tree. */
  isInsideTree(text: string): boolean;
}

const IMPLEMENTATION = '.implementation';
const SPEC_FILE = /\.(?:ya?ml|json)$/i;
const REFERENCE_KEYS = new Set(['ref', 'source', 'spec_path']);

function blocker(
  code: PortabilityBlocker['code'],
  detail: string,
  spec_ref: string | null,
): PortabilityBlocker {
  return { code, detail, spec_ref };
}

function hostDependencies(positions: readonly PrivilegedPosition[]): PortabilityBlocker[] {
  return positions.flatMap(({ path, capability, value }) => {
    if (typeof value !== 'string' || value === '') return [];
    if (capability === 'filesystem') {
      return [blocker('filesystem_dependency', 'It names a file of this machine.', path)];
    }
    const code = capability === 'execute' && path.endsWith(IMPLEMENTATION);
    return code
      ? [
          blocker(
            'filesystem_dependency',
            'It names code of this project, or a step that the bound platform does not offer.',
            path,
          ),
        ]
      : [];
  });
}

function specReferences(input: PortabilityInput): PortabilityBlocker[] {
  const found: PortabilityBlocker[] = [];
  const visit = (value: Json, path: readonly PathSegment[]): void => {
    const key = path.at(-1);
    if (typeof value === 'string' && typeof key === 'string' && REFERENCE_KEYS.has(key)) {
      if (SPEC_FILE.test(value) && input.isInsideTree(value)) {
        const detail = 'It names another spec file of this project.';
        found.push(blocker('spec_path_reference', detail, formatPath(path)));
      }
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visit(item, [...path, index]);
      });
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) visit(item, [...path, name]);
    }
  };
  visit(input.document, []);
  return found;
}

function transports(input: PortabilityInput): PortabilityBlocker[] {
  const servers = input.document['mcp_servers'];
  const found = Object.entries(isObject(servers) ? servers : {}).flatMap(([name, server]) => {
    if (!isObject(server) || server['transport'] !== 'stdio') return [];
    const detail = 'It starts a program on this machine.';
    return [blocker('unsupported_transport', detail, `mcp_servers.${name}.transport`)];
  });
  if (input.transport === 'remote') return found;
  const detail = 'The binding shares a file system with its platform.';
  return [...found, blocker('unsupported_transport', detail, null)];
}

/** Everything that keeps a composed spec from travelling: by code, then by path. */
export function findPortabilityBlockers(input: PortabilityInput): PortabilityBlocker[] {
  const byPath = (a: PortabilityBlocker, b: PortabilityBlocker): number =>
    compareCodePoints(a.spec_ref ?? '', b.spec_ref ?? '');
  const registry = input.registryPaths.map((path) =>
    blocker('registry_reference', 'It was filled from the registry of this binding.', path),
  );
  return [
    ...registry.sort(byPath),
    ...hostDependencies(input.positions).sort(byPath),
    ...specReferences(input).sort(byPath),
    ...transports(input).sort(byPath),
  ];
}

/** Where a spec names code, by path: a handler of the platform, or a function of the project. */
export function namedImplementations(
  positions: readonly PrivilegedPosition[],
): ReadonlyMap<string, string> {
  return new Map(
    positions.flatMap(({ path, capability, value }) =>
      capability === 'execute' && path.endsWith(IMPLEMENTATION) && typeof value === 'string'
        ? [[path, value]]
        : [],
    ),
  );
}

/**
 * The blockers that are left where a platform offers these names in its registry (decisions 48);
 * `null` = it did not say, so that every name stays one.
 */
export function blockersAt(
  blockers: readonly PortabilityBlocker[],
  named: ReadonlyMap<string, string>,
  offered: ReadonlySet<string> | null,
): PortabilityBlocker[] {
  return blockers.flatMap((found) => {
    const { code, spec_ref } = found;
    const name = spec_ref === null ? undefined : named.get(spec_ref);
    if (name === undefined || code !== 'filesystem_dependency') return [found];
    if (offered === null) {
      const detail = 'It names code, and the bound platform did not say which names it offers.';
      return [{ ...found, detail }];
    }
    return offered.has(name) ? [] : [found];
  });
}
