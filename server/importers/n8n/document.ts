import type { FlowOrder } from '../../items/flow-shape.ts';
import type { SourceRef } from '../analysis.ts';
import type { ValueMap } from '../value.ts';

export const BASE = 'n8n-nodes-base.';
export const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
/** Notes on the canvas; no declared elements. */
export const NOTE_TYPE = 'n8n-nodes-base.stickyNote';

export type OnError = 'continueErrorOutput' | 'continueRegularOutput' | 'stopWorkflow';

/** One node of an export, after the shape checks. */
export interface N8nNode {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly version: number;
  readonly parameters: ValueMap;
  /** Reference names of its credentials by their type. */
  readonly credentials: ReadonlyMap<string, string>;
  readonly disabled: boolean;
  readonly onError: OnError | null;
  readonly continueOnFail: boolean;
  readonly retryOnFail: boolean;
  readonly maxTries: number | null;
  readonly waitBetweenTries: number | null;
  readonly alwaysOutputData: boolean;
  readonly executeOnce: boolean;
  readonly position: { x: number; y: number } | null;
  readonly ref: SourceRef;
}

/** One link of `connections`, in the order of the file. */
export interface N8nLink {
  readonly source: N8nNode;
  /** `main` for flow, otherwise the attachment type. */
  readonly type: string;
  readonly port: number;
  readonly target: N8nNode;
  /** Input of the target. */
  readonly index: number;
}

/** What a workflow says of its runs. */
export interface N8nRunSettings {
  /** Which of the connections that lead on is followed first: the newer order, or the older one. */
  readonly order: FlowOrder;
  readonly zone: string | null;
  readonly name: string | null;
}

/** An export after the shape checks. */
export interface N8nDocument {
  readonly nodes: readonly N8nNode[];
  readonly links: readonly N8nLink[];
  /** Node id → length of its written `main` list. */
  readonly mainPorts: ReadonlyMap<string, number>;
  /** Ids of nodes that stand on a `main` wire. */
  readonly onMain: ReadonlySet<string>;
  readonly run: N8nRunSettings;
  /** Names of nodes for which the export pins items. */
  readonly pinned: ReadonlySet<string>;
}
