import { parseObject } from './redaction.ts';

/** What decides about a run's own spec: runs of one spec are looked at once. */
export function specKey(createdMetadata: string): string {
  const { frozen_spec, overrides, environment, skills_overlay } = parseObject(createdMetadata);
  return JSON.stringify([frozen_spec, overrides, environment, skills_overlay]);
}
