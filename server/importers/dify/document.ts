import type { SourceRef } from '../analysis.ts';
import type { ValueMap } from '../value.ts';

export type DifyMode =
  | 'workflow'
  | 'advanced-chat'
  | 'chat'
  | 'agent-chat'
  | 'completion'
  | 'agent';

/** One node of a graph app. */
export interface DifyNode {
  readonly index: number;
  readonly id: string;
  readonly title: string;
  /** `data.type`; the canvas type of notes is in `isNote`. */
  readonly type: string;
  readonly isNote: boolean;
  readonly data: ValueMap;
  readonly position: { x: number; y: number } | null;
  /** Container that the file names as the parent, if any. */
  readonly parent: string | null;
  readonly ref: SourceRef;
}

/** One edge as written; an end or a handle that is no text is null. */
export interface DifyEdge {
  readonly index: number;
  readonly source: string | null;
  readonly target: string | null;
  readonly handle: string | null;
}

/** A Dify app after the shape checks. */
export interface DifyDocument {
  readonly mode: DifyMode;
  readonly name: string;
  readonly nodes: readonly DifyNode[];
  readonly edges: readonly DifyEdge[];
  readonly environment: readonly ValueMap[];
  /** Variables that the app keeps from turn to turn. */
  readonly conversation: readonly ValueMap[];
  readonly features: ValueMap;
  /** `model_config` of an app without a graph. */
  readonly config: ValueMap;
}

/** True when the app is a graph of nodes. */
export function isGraphMode(mode: DifyMode): boolean {
  return mode === 'workflow' || mode === 'advanced-chat';
}
