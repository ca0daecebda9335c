import type { JsonObject } from '../../kernel/json.ts';
import type { SourceRef } from '../analysis.ts';
import type { Value } from '../value.ts';
import type { LedgerScene } from './scene.ts';
import type { Plan } from './survey.ts';

/** What an adapter knows of its document beside the neutral graph: enough to account for all of it. */
export interface Outline {
  /** The document as it was read, before any repair. */
  readonly root: Value;
  readonly source: string;
  /** What the file is called in a card about its settings. */
  readonly file: SourceRef;
  /** Facts that stand before the notes of an element: its type, its version. */
  headOf(id: string): JsonObject;
  /** Where an element stands in the source. */
  refOf(id: string): SourceRef;
  /** How each part of the document is looked at, once the draft is made. */
  plan(scene: LedgerScene): Plan;
}
