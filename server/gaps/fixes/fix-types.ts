import type { SourceSetting } from '../../contract/studio/analyses.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import type { DraftElement } from './draft-steps.ts';

/** A draft's text; `file` says whether it is YAML or JSON. */
export interface DraftText {
  readonly text: string;
  readonly file: string;
}

/** A draft of the project that a call of the source may mean. */
export interface CalledDraft {
  readonly ref: string;
  /** What its workflow is called. */
  readonly name: string;
  readonly text: string;
  /** Blocking gaps that nobody answered. */
  readonly blocking: number;
}

/** A gap as the fixes see it. */
export interface FixTarget {
  readonly gap_id: string;
  readonly kind: string;
  readonly label: string;
  /** The name that the element has in the draft; empty when it is not known. */
  readonly name: string;
  /** Numbers that the source sets and the draft does not hold, by the source's names. */
  readonly settings?: readonly Pick<SourceSetting, 'name' | 'value'>[];
  /** Names of the elements that this one is attached to, such as the agent of a model. */
  readonly hosts?: readonly string[];
  /** Names of the nearest elements before and after it, for one that became an edge of the draft. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** The drafts that may be meant by an element that runs another workflow. */
  readonly called?: readonly CalledDraft[];
}

/** What the author fills in before an edit is made. */
export interface FixField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly initial: string;
  readonly kind: 'text' | 'long_text' | 'number' | 'choice';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Greatest number. */
  readonly most?: number;
}

/** An edit of the draft that answers a gap, or several of the same cause. */
export interface FixOffer {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** What it does to the export of an artifact, in words. */
  readonly portability: string;
  readonly fields: readonly FixField[];
  /** The gaps that it answers. */
  readonly gap_ids: readonly string[];
}

export type FixValues = Readonly<Record<string, string>>;

export interface FixRequest {
  readonly targets: readonly FixTarget[];
  readonly fix: string;
  readonly values: FixValues;
}

/** The text with the edits made, and what became of each gap's edit. */
export interface FixResult {
  readonly text: string;
  readonly done: readonly string[];
  readonly refused: readonly { readonly gap_id: string; readonly reason: string }[];
  /** Errors that the text had before and has after. */
  readonly errorsBefore: number;
  readonly errorsAfter: number;
  /** The first error that is new. */
  readonly newError: string | null;
}

/** A gap, its draft, and what the draft holds for it. */
export interface FixCase {
  readonly document: JsonObject;
  readonly target: FixTarget;
  readonly element: DraftElement;
  /** What the draft holds for the elements that this one is attached to. */
  readonly hosts: readonly DraftElement[];
}

/** A kind of edit that answers gaps. Both functions are pure. */
export interface Fix {
  readonly id: string;
  /** It is about one place only, so it is not offered for several gaps at once. */
  readonly single?: boolean;
  /** What it does to the export of an artifact; absent where that is nothing. */
  readonly portability?: string;
  /** What to ask the author; undefined when the edit does not fit. */
  form(
    fixCase: FixCase,
  ):
    | { readonly title: string; readonly about: string; readonly fields: readonly FixField[] }
    | undefined;
  /** The edits, in order; a text says why there are none. */
  edits(fixCase: FixCase, values: FixValues): readonly DocumentEdit[] | string;
}
