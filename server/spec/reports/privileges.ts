import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { formatPath, type PathSegment } from '../values/path.ts';
import { scanSchema } from './privilege-schemas.ts';
import { type CapabilityClass, type Shape, SPEC_SHAPE } from './privilege-shapes.ts';

/** What a binding allows (studio.md 9.2). */
export interface CapabilityRules {
  readonly policy: 'strict' | 'local';
  /** Name → value of a registry reference. */
  readonly registry: Readonly<Record<string, Json>>;
  readonly secretNamespace: string | null;
  readonly hostAllowlist: readonly string[];
  readonly egressEnforced: boolean;
}

/** A class of positions of the capability gate (studio.md 9.2). */
export type Capability = CapabilityClass | 'schema' | 'unclassified';

/** A position that the binding refuses. */
export interface CapabilityFinding {
  readonly path: string;
  readonly capability: Capability;
  readonly reason: string;
}

/** A position that asks for something, allowed or not: what the other policy would say, what cannot travel. */
export interface PrivilegedPosition {
  readonly path: string;
  readonly capability: CapabilityClass;
  readonly value: Json;
}

/** What the capability gate makes of a document. */
export type CapabilityScan =
  | { readonly outcome: 'too_complex' }
  | {
      readonly outcome: 'refused';
      readonly stage: 'pre-expansion scan' | 'expansion';
      readonly findings: readonly CapabilityFinding[];
      readonly positions: readonly PrivilegedPosition[];
    }
  | {
      readonly outcome: 'passed';
      /** The document with registry references replaced. */
      readonly document: JsonObject;
      /** Paths where a reference was replaced, ascending. */
      readonly registryPaths: readonly string[];
      readonly positions: readonly PrivilegedPosition[];
    };

const MAX_NODES = 50_000;
const MAX_DEPTH = 64;
const REGISTRY_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

type Path = readonly PathSegment[];

/** True when a document is within the scan budget. A cycle runs out of depth. */
export function isWithinBudget(root: unknown): boolean {
  let nodes = 0;
  const visit = (value: unknown, depth: number): boolean => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((item) => visit(item, depth + 1));
  };
  return visit(root, 1);
}

/** The name of a `{"$registry": name}` reference; undefined for any other value. */
export function registryName(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const name: unknown = value['$registry'];
  return keys.length === 1 && typeof name === 'string' ? name : undefined;
}

class Scanner {
  readonly findings: CapabilityFinding[] = [];
  readonly expansion: CapabilityFinding[] = [];
  readonly positions: PrivilegedPosition[] = [];
  readonly registryPaths: string[] = [];
  readonly #rules: CapabilityRules;

  constructor(rules: CapabilityRules) {
    this.#rules = rules;
  }

  #refuse(path: Path, capability: Capability, reason: string): void {
    this.findings.push({ path: formatPath(path), capability, reason });
  }

  /** Keys that the schema does not have: refused under both policies, with everything below. */
  #unknown(value: Json, path: Path): void {
    if (isObject(value)) {
      for (const key of Object.keys(value)) {
        this.#refuse([...path, key], 'unclassified', 'the spec schema has no such position');
      }
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        this.#unknown(item, [...path, index]);
      });
    }
  }

  /** Leaves of a free-form block that have no class. */
  #unclassified(value: Json, path: Path): void {
    if (this.#rules.policy === 'local') return;
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (children.length === 0) {
      if (value !== null)
        this.#refuse(path, 'unclassified', 'nothing is known about this position');
      return;
    }
    const list = Array.isArray(value);
    for (const [key, item] of children) {
      this.#unclassified(item, [...path, list ? Number(key) : key]);
    }
  }

  visit(shape: Shape, value: Json, path: Path): Json {
    if (value === null) return value;
    switch (shape.kind) {
      case 'data':
        return value;
      case 'inert':
        this.#unknown(value, path);
        return value;
      case 'json_schema':
        this.#schema(value, path);
        return value;
      case 'class':
        return this.#classified(shape.of, value, path);
      case 'list':
        return Array.isArray(value)
          ? value.map((item, index) => this.visit(shape.of, item, [...path, index]))
          : this.visit({ kind: 'inert' }, value, path);
      case 'map':
      case 'object':
      case 'open':
        return this.#members(shape, value, path);
    }
  }

  #schema(value: Json, path: Path): void {
    const found: { path: Path; reason: string }[] = [];
    scanSchema(value, path, found);
    for (const item of found) this.#refuse(item.path, 'schema', item.reason);
  }

  #members(shape: Shape & { kind: 'map' | 'object' | 'open' }, value: Json, path: Path): Json {
    if (!isObject(value)) {
      if (shape.kind === 'open') this.#unclassified(value, path);
      else this.#unknown(value, path);
      return value;
    }
    const copy: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      setOwn(copy, key, this.#member(shape, key, item, [...path, key]));
    }
    if (shape.kind === 'open' && Object.keys(value).length === 0) this.#unclassified(value, path);
    return copy;
  }

  #member(
    shape: Shape & { kind: 'map' | 'object' | 'open' },
    key: string,
    value: Json,
    path: Path,
  ): Json {
    if (shape.kind === 'map') return this.visit(shape.of, value, path);
    const known = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (known !== undefined) return this.visit(known, value, path);
    if (shape.kind === 'open') this.#unclassified(value, path);
    else this.#refuse(path, 'unclassified', 'the spec schema has no such position');
    return value;
  }

  #classified(capability: CapabilityClass, value: Json, path: Path): Json {
    if (capability === 'execute') {
      const name = registryName(value);
      if (name !== undefined) return this.#expand(name, path);
    }
    if (typeof value === 'object' && value !== null) return this.#nested(capability, value, path);
    const reason = this.#reason(capability, value);
    if (reason !== undefined) {
      this.positions.push({ path: formatPath(path), capability, value });
      const passes = this.#rules.policy === 'local' && capability !== 'secret';
      if (!passes) this.#refuse(path, capability, reason);
    }
    if (capability === 'network') this.#userInfo(value, path);
    return value;
  }

  #nested(capability: CapabilityClass, value: Json, path: Path): Json {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#classified(capability, item, [...path, index]));
    }
    const copy: JsonObject = {};
    for (const [key, item] of Object.entries(value ?? {})) {
      setOwn(copy, key, this.#classified(capability, item, [...path, key]));
    }
    return copy;
  }

  #expand(name: string, path: Path): Json {
    const entry = Object.hasOwn(this.#rules.registry, name)
      ? this.#rules.registry[name]
      : undefined;
    const plain = (item: Json): boolean => typeof item !== 'object' && item !== null;
    const usable =
      REGISTRY_NAME.test(name) &&
      entry !== undefined &&
      (plain(entry) || (Array.isArray(entry) && entry.every(plain)));
    if (!usable || entry === undefined) {
      const reason = `the binding's registry has no usable entry "${name}"`;
      this.expansion.push({ path: formatPath(path), capability: 'execute', reason });
      return null;
    }
    this.registryPaths.push(formatPath(path));
    return entry;
  }

  /** Why a value at a classified position is refused; undefined when it asks for nothing. */
  #reason(capability: CapabilityClass, value: Json): string | undefined {
    switch (capability) {
      case 'execute':
        return value === ''
          ? undefined
          : 'code or a command may only be named through the registry';
      case 'secret':
        return value === '' ? undefined : 'a secret may not stand in a spec';
      case 'filesystem':
        return value === '' ? undefined : 'a spec may not name a file of the host';
      case 'secret_ref':
        return this.#secretReference(value);
      case 'network':
        return this.#host(value);
      case 'host_permission':
        return value === false || value === ''
          ? undefined
          : 'this asks for a permission of the host';
      case 'host_trust':
        return value === true ? undefined : 'certificates must be verified';
    }
  }

  #secretReference(value: Json): string | undefined {
    const { secretNamespace } = this.#rules;
    const known =
      secretNamespace !== null &&
      typeof value === 'string' &&
      value.startsWith(`${secretNamespace}/`);
    return known ? undefined : 'the secret is outside the namespace of the binding';
  }

  #host(value: Json): string | undefined {
    const match = typeof value === 'string' ? URL_PARTS.exec(value) : null;
    const host = match?.[2]?.toLowerCase();
    const listed = host !== undefined && this.#rules.hostAllowlist.includes(host);
    return listed && this.#rules.egressEnforced ? undefined : 'the host is not on the allow list';
  }

  #userInfo(value: Json, path: Path): void {
    const match = typeof value === 'string' ? URL_PARTS.exec(value) : null;
    if (match?.[1] !== undefined) {
      this.#refuse(path, 'secret', 'credentials may not stand in an address');
    }
  }
}

/** Scheme, user information, host, port. */
const URL_PARTS =
  /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?(\[[^\]/?#@]*\]|[^:/?#@]*)(?::\d*)?(?:[/?#]|$)/i;

/**
 * Scans a composed document for positions that ask for more than data and replaces registry
 * references (studio.md 9.2). Pure: nothing is looked up but what `rules` holds.
 */
export function scanCapabilities(document: JsonObject, rules: CapabilityRules): CapabilityScan {
  if (!isWithinBudget(document)) return { outcome: 'too_complex' };
  const scanner = new Scanner(rules);
  const expanded = scanner.visit(SPEC_SHAPE, document, []);
  const { positions } = scanner;
  if (scanner.findings.length > 0) {
    return {
      outcome: 'refused',
      stage: 'pre-expansion scan',
      findings: scanner.findings,
      positions,
    };
  }
  if (scanner.expansion.length > 0) {
    return { outcome: 'refused', stage: 'expansion', findings: scanner.expansion, positions };
  }
  return {
    outcome: 'passed',
    document: isObject(expanded) ? expanded : document,
    registryPaths: [...scanner.registryPaths].sort(),
    positions,
  };
}
