import type { ServiceNode } from '../../services/find-row.ts';
import { DATA_SETTINGS } from './data-settings.ts';
import { FLOW_SETTINGS } from './flow-settings.ts';
import { serviceSettings } from './service-settings.ts';
import type { StepSettings } from './setting.ts';

const ALL: Readonly<Record<string, StepSettings>> = { ...DATA_SETTINGS, ...FLOW_SETTINGS };

/**
 * The settings of a type of step by their names, for completion, hover and `docs/handlers.md`;
 * undefined for a type whose settings are not listed, such as those of triggers.
 */
export function settingsOf(type: string): StepSettings | undefined {
  const name = type.slice(type.lastIndexOf('.') + 1);
  return Object.hasOwn(ALL, name) ? ALL[name] : undefined;
}

/** The settings of a step; of a vendor's node those of the operation that it names. */
export function settingsOfStep(node: ServiceNode): StepSettings | undefined {
  return settingsOf(node.type) ?? serviceSettings(node);
}

/** The types whose settings are listed, without their package. */
export const LISTED_TYPES: readonly string[] = Object.keys(ALL).sort();
