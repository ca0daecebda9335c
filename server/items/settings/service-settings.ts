import { findRow, SERVICES, type ServiceNode } from '../../services/find-row.ts';
import { knownSettings } from '../../services/known-settings.ts';
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
function chosen({ rows, resource: or, operation }: Service, given: unknown): StepSettings {
  const keys = Object.keys(rows).map((key) => key.split('/'));
  const resource = typeof given === 'string' ? given : or;
  const isOfIt = (key: readonly string[]): boolean => or === undefined || key[0] === resource;
  const preset = typeof operation === 'string' ? operation : operation[resource ?? ''];
  const operations = keys.filter(isOfIt).map((key) => key.at(-1) ?? '');
  return {
    ...(or === undefined
      ? {}
      : {
          resource: listed(
            keys.map(([first = '']) => first),
            'What it is about.',
            or,
          ),
        }),
    operation: listed(operations, 'What is done.', preset),
  };
}

/** The settings that the operation of a vendor's node takes; undefined for a type that is no service here. */
export function serviceSettings(node: ServiceNode): StepSettings | undefined {
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
  return { ...Object.fromEntries(settings), ...chosen(service, node.parameters['resource']) };
}
