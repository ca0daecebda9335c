import { isObject } from '../kernel/json.ts';
import type { ServiceNode } from './find-row.ts';

/** What a handler of its own does of one operation. */
export interface OwnOperation {
  /** Settings by their path; what stands below one is known as well. */
  readonly settings: readonly string[];
  /** Without these the source itself cannot run the node. */
  readonly needed?: readonly string[];
  /** The only values that a setting may have; others are left out. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /** What is known of each member of a list, by the list's path. */
  readonly members?: Readonly<Record<string, OwnOperation>>;
}

/** A vendor's node that a handler of its own carries out, where rows cannot say what it does. */
export interface OwnService {
  readonly type: string;
  /** What an export leaves out: the resource, and the operation by resource. */
  readonly resource: string;
  readonly operation: Readonly<Record<string, string>>;
  /** By `resource/operation`. */
  readonly of: Readonly<Record<string, OwnOperation>>;
}

const ALWAYS = ['resource', 'operation', 'authentication', 'descriptionType', 'toolDescription'];

function valueAt(parameters: unknown, path: string): unknown {
  let at = parameters;
  for (const key of path.split('.')) at = isObject(at) ? at[key] : undefined;
  return at;
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function unknownIn(path: string, value: unknown, known: readonly string[]): string | undefined {
  if (known.includes(path) || isEmpty(value)) return undefined;
  const isBranch = known.some((one) => one.startsWith(`${path}.`));
  if (!isBranch || !isObject(value)) return path;
  for (const [key, one] of Object.entries(value)) {
    const found = unknownIn(`${path}.${key}`, one, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for a text, or for what is chosen from a list and has one. */
function isGiven(value: unknown): boolean {
  const said = isObject(value) ? value['value'] : value;
  return said !== undefined && said !== null && String(said).trim() !== '';
}

type Parameters = ServiceNode['parameters'];

function otherMember(operation: OwnOperation, parameters: Parameters): string | undefined {
  for (const [path, inner] of Object.entries(operation.members ?? {})) {
    const found = valueAt(parameters, path);
    for (const member of Array.isArray(found) ? found.filter(isObject) : []) {
      const lack = lackOf(inner, member);
      if (lack !== undefined) return `${lack} in ${path}`;
    }
  }
  return undefined;
}

function lackOf(operation: OwnOperation, parameters: Parameters): string | undefined {
  const known = [...ALWAYS, ...operation.settings];
  for (const [key, value] of Object.entries(parameters)) {
    const path = unknownIn(key, value, known);
    if (path !== undefined) return `the setting ${path}`;
  }
  for (const [path, values] of Object.entries(operation.values ?? {})) {
    const value = valueAt(parameters, path);
    if (value !== undefined && !values.includes(value)) return `${path} = ${String(value)}`;
  }
  const other = otherMember(operation, parameters);
  if (other !== undefined) return other;
  const lacking = operation.needed?.find((path) => !isGiven(valueAt(parameters, path)));
  return lacking === undefined ? undefined : `no ${lacking}`;
}

/** What the handler of a service does not carry out of a node, in words; undefined when it does all. */
export function unservedByOwn(service: OwnService, node: ServiceNode): string | undefined {
  const resource = String(node.parameters['resource'] ?? service.resource);
  const named = String(node.parameters['operation'] ?? service.operation[resource] ?? '');
  if (resource.startsWith('=')) return 'resource computed for each item';
  if (named.startsWith('=')) return 'operation computed for each item';
  const key = `${resource}/${named}`;
  const operation = Object.hasOwn(service.of, key) ? service.of[key] : undefined;
  return operation === undefined ? `the operation ${key}` : lackOf(operation, node.parameters);
}
