import type { CanvasView } from '../../../../server/contract/studio/analyses.ts';
import type { NamedGap } from '../../../../server/gaps/fixes/draft-targets.ts';
import type {
  DraftText,
  FixOffer,
  FixRequest,
  FixResult,
  FixTarget,
} from '../../../../server/gaps/fixes/fix-types.ts';
import type { NamedSource } from '../../../../server/gaps/fixes/source-links.ts';
import type { SketchedPart } from '../../../../server/spec/edit/function-sketch.ts';
import type { GraphModel } from '../../../graph/graph-model.ts';

/** A place of the draft and the lines that it covers, from 1. */
export interface DraftPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** What the gap page knows of a draft's text. */
export interface DraftReading {
  /** Null when the text cannot be read or has nothing to draw. */
  readonly graph: GraphModel | null;
  /** Nodes of the graph by source element. */
  readonly nodesOf: Readonly<Record<string, readonly string[]>>;
  /** Where each source element stands in the text; the first place when there are several. */
  readonly placeOf: Readonly<Record<string, DraftPlace>>;
  /** The function or tool of each source element that waits for code. */
  readonly codeOf: Readonly<Record<string, SketchedPart>>;
  /** The name of the secret that each source element's credential is bound to. */
  readonly secretOf: Readonly<Record<string, string>>;
  /** Findings that are errors. */
  readonly errors: number;
}

/** Requests to the worker that reads drafts for the gap page, and what each answers. */
export type DraftRequests = {
  read: {
    input: DraftText & { readonly sources: readonly NamedSource[] };
    output: DraftReading;
  };
  offers: {
    input: DraftText & { readonly targets: readonly FixTarget[] };
    output: readonly FixOffer[];
  };
  fix: { input: DraftText & FixRequest; output: FixResult };
  /** What answers some gaps of this draft, where the same is done in other drafts too. */
  prepare: {
    input: DraftText & { readonly canvas: CanvasView; readonly gaps: readonly NamedGap[] };
    output: { readonly targets: readonly FixTarget[]; readonly offers: readonly FixOffer[] };
  };
};

export type DraftRequestName = keyof DraftRequests;
