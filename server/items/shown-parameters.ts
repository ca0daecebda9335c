import type { JsonObject } from './item.ts';

const SET_BY_HAND = 3;

/** What the source shows of settings that an export leaves out, of the types whose settings are read most. */
function presetsOf(type: string, version: number): JsonObject {
  if (type === 'n8n-nodes-base.manualTrigger') return { notice: '' };
  if (type !== 'n8n-nodes-base.set' || version < SET_BY_HAND) return {};
  return { mode: 'manual', duplicateItem: false, includeOtherFields: false, options: {} };
}

/** The settings of a step as expressions of other steps see them. */
export function shownParameters(step: {
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
}): JsonObject {
  return { ...presetsOf(step.type, step.version), ...step.parameters };
}
