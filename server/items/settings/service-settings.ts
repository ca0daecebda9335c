import { findRow, SERVICES, type ServiceNode } from '../../services/find-row.ts';
import { knownSettings } from '../../services/known-settings.ts';
import { OWN_SERVICES } from '../../services/own/own-services.ts';
import type { OwnService } from '../../services/own-operations.ts';
import type { Service } from '../../services/service.ts';
import { type StepSetting, type StepSettings, text } from './setting.ts';

function serviceOf({ type, version }: ServiceNode): Service | undefined {
  const own = SERVICES.filter((service) => service.type === type);
  const isIn = ({ versions: [low, high] }: Service): boolean => version >= low && version <= high;
  return own.find(isIn) ?? own.at(-1);
}

function listed(values: Iterable<string>, help: string, standard: string | undefined): StepSetting {
  const known = [...new Set(values)];
  const fallback = standard === undefined ? {} : { standard };
  return { kind: 'choice', help, values: known, ...fallback };
}

/** What may be chosen of a service: its resources, and the operations of the one that is chosen. */
function chosen(
  rows: readonly string[],
  { resource: or, operation }: Pick<Service, 'resource' | 'operation'>,
  given: unknown,
): StepSettings {
  const keys = rows.map((key) => key.split('/'));
  const resource = typeof given === 'string' ? given : or;
  const isOfIt = (key: readonly string[]): boolean => or === undefined || key[0] === resource;
  const preset = typeof operation === 'string' ? operation : operation[resource ?? ''];
  const operations = listed(
    keys.filter(isOfIt).map((key) => key.at(-1) ?? ''),
    'What is done.',
    preset,
  );
  if (or === undefined) return { operation: operations };
  const resources = keys.map(([first = '']) => first);
  return { resource: listed(resources, 'What it is about.', or), operation: operations };
}

/** As `serviceSettings`, of a vendor's node that a handler of its own carries out. */
function ownSettings(service: OwnService, { parameters, type }: ServiceNode): StepSettings {
  const given = parameters['resource'];
  const resource = typeof given === 'string' ? given : service.resource;
  const operation = parameters['operation'] ?? service.operation[resource];
  const key = `${resource}/${String(operation)}`;
  const taken = Object.hasOwn(service.of, key) ? service.of[key] : undefined;
  const name = type.slice(type.lastIndexOf('.') + 1);
  const plain = text(`A setting of this operation of ${name}.`);
  const names = new Set((taken?.settings ?? []).map((path) => path.split('.')[0] ?? path));
  return {
    ...Object.fromEntries([...names].map((setting) => [setting, plain])),
    ...chosen(Object.keys(service.of), service, given),
  };
}

/** The settings that the operation of a vendor's node takes; undefined for a type that is no service here. */
export function serviceSettings(node: ServiceNode): StepSettings | undefined {
  const own = OWN_SERVICES.find(({ type }) => type === node.type);
  if (own !== undefined) return ownSettings(own, node);
  const service = serviceOf(node);
  if (service === undefined) return undefined;
  const found = findRow(node);
  const taken =
    found === undefined || 'lacks' in found ? [] : knownSettings(service, found.row, found.by);
  const settings = new Map<string, StepSetting>();
  for (const [path, { values }] of taken) {
    const [name = ''] = path.split('.');
    if (name === '' || name.startsWith('@')) continue;
    const plain = text(`A setting of this operation of ${service.name}.`);
    const isWhole = values !== undefined && path === name;
    settings.set(name, isWhole ? { ...plain, kind: 'choice', values: [...values] } : plain);
  }
  return {
    ...Object.fromEntries(settings),
    ...chosen(Object.keys(service.rows), service, node.parameters['resource']),
  };
}
