import { isObject } from '../kernel/json.ts';
import { findRow, hasRows, type ServiceNode, unmasked } from './find-row.ts';
import { knownSettings, MEMBER, type Taken } from './known-settings.ts';
import { OWN_SERVICES } from './own/own-services.ts';
import { type OwnService, unservedByOwn } from './own-operations.ts';

type Known = ReadonlyMap<string, Taken>;

/** Settings of a node that is offered as a tool: its description is carried elsewhere. */
const OF_TOOLS = new Set(['descriptionType', 'toolDescription']);

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function isLocator(value: unknown): value is { readonly mode?: unknown; readonly value?: unknown } {
  return isObject(value) && value['__rl'] === true;
}

/** Why a row that is written for some values does not take another one. */
function otherValue(path: string, value: unknown, { values, byKind }: Taken): string | undefined {
  if (values === undefined || isEmpty(value)) return undefined;
  const text = unmasked(String(value));
  const said = byKind ? (/\|([^|{}]*)$/.exec(text)?.[1] ?? '') : text;
  if (!byKind && text.startsWith('=')) return `${path} computed for each item`;
  return values.has(said) ? undefined : `${path} = ${text}`;
}

/** Why a row does not take a value; undefined when it does. */
function refused(path: string, value: unknown, taken: Taken): string | undefined {
  if (isLocator(value)) {
    const isAddress = value.mode === 'url' && !isEmpty(value.value);
    return isAddress && !taken.byUrl ? `${path} given as an address` : undefined;
  }
  if (taken.values !== undefined) return otherValue(path, value, taken);
  if (taken.anything || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return undefined;
  return isEmpty(value) ? undefined : path;
}

function unservedIn(path: string, value: unknown, known: Known): string | undefined {
  const taken = known.get(path);
  if (taken !== undefined) return refused(path, value, taken);
  if (isEmpty(value)) return undefined;
  const inside = `${path}.`;
  const isBranch = [...known.keys()].some((one) => one.startsWith(inside));
  if (!isBranch) return path;
  if (typeof value !== 'object' || value === null) return `${path} computed as a whole`;
  for (const [key, one] of Object.entries(value)) {
    const found = unservedIn(`${path}.${Array.isArray(value) ? MEMBER : key}`, one, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

const OWN: ReadonlyMap<string, OwnService> = new Map(OWN_SERVICES.map((own) => [own.type, own]));

/** True for a vendor's type: rows, or a handler of its own, carry some of its operations out. */
export function isService(type: string): boolean {
  return OWN.has(type) || hasRows(type);
}

/**
 * What of a vendor's node no row carries out, in words: its operation, or a setting. Undefined when
 * it runs as it is, or when its type is no service.
 */
export function unserved(node: ServiceNode): string | undefined {
  const own = OWN.get(node.type);
  if (own !== undefined) return unservedByOwn(own, node);
  const found = findRow(node);
  if (found === undefined) return undefined;
  if ('lacks' in found) return found.lacks;
  const known = knownSettings(found.service, found.row, found.by);
  for (const [key, value] of Object.entries(node.parameters)) {
    if (OF_TOOLS.has(key)) continue;
    const setting = unservedIn(key, value, known);
    if (setting !== undefined) return `the setting ${setting.replaceAll(`.${MEMBER}`, '')}`;
  }
  return undefined;
}
