import type { SourceRef } from '../analysis.ts';
import type { Loss, Mechanism, NodePayload, Output, Tool } from '../graph-ir.ts';
import type { ValueMap } from '../value.ts';

/** An element of a source that is read without profiles: it has settings, and wires lead on from it. */
export interface Element {
  readonly index: number;
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly settings: ValueMap;
  readonly position: { readonly x: number; readonly y: number } | null;
  /** The container that it stands in. */
  readonly parent: string | null;
  readonly ref: SourceRef;
}

export interface ElementWire {
  readonly source: string;
  readonly target: string;
  /** Which output it leaves. */
  readonly output: number;
}

/** A source as elements and wires. */
export interface ElementDocument {
  readonly source: string;
  readonly name: string;
  readonly elements: readonly Element[];
  /** Wires from and to elements that there are. */
  readonly wires: readonly ElementWire[];
}

/** What one element becomes. */
export type ReadElement =
  | { readonly role: 'entry'; readonly mechanism: Mechanism; readonly losses: readonly Loss[] }
  | { readonly role: 'waypoint' | 'none'; readonly losses: readonly Loss[] }
  | {
      readonly role: 'node';
      readonly payload: NodePayload;
      readonly losses: readonly Loss[];
      /** Absent: one, which is always taken. */
      readonly outputs?: readonly Output[];
      readonly tools?: readonly Tool[];
      /** Its members are its content; they are converted as a graph of their own where that is possible. */
      readonly isContainer?: boolean;
    };

/** Reads one element among the others. */
export type ElementReader = (element: Element, doc: ElementDocument) => ReadElement;
