// What the host tells of a step before its expressions or its code run. Here items may be changed.
export type { Match, NodeLook, StepFacts } from '../../items/facts.ts';

export interface GuestItem {
  json: unknown;
  binary?: Record<string, unknown>;
  pairedItem?: unknown;
}
