import type { ComposeView } from '../../../server/contract/studio/govern.ts';
import type { GraphOperation, StepAddress } from '../../../server/spec/edit/graph/operation.ts';
import type {
  ProjectPlace,
  ProjectText,
  Tie,
} from '../../../server/spec/language/across/project-names.ts';
import type { RenamedPlace } from '../../../server/spec/language/across/rename-in-project.ts';
import type { Fold } from '../../../server/spec/language/folding.ts';
import type { Form, FormEdit } from '../../../server/spec/language/inspect/form.ts';
import type { AttachedRegistry } from '../../../server/spec/language/registry.ts';
import type { Sides } from '../../../server/spec/merge/conflict.ts';
import type { SpecMerge } from '../../../server/spec/merge/merge-specs.ts';
import type { Choices } from '../../../server/spec/merge/merge-values.ts';
import type { CredentialNeed } from '../../../server/spec/reports/credential-needs.ts';
import type { FieldPath } from '../../../server/spec/reports/read-fields.ts';
import type { ReplaceablePart } from '../../../server/spec/reports/replaceable-parts.ts';
import type { Severity } from '../../../server/spec/values/diagnostic.ts';
import type { Path } from '../../../server/spec/values/path.ts';
import type { GraphModel } from '../../graph/graph-model.ts';
import type { FlowTrigger } from '../../run-input/flow-input.ts';
import type { ComparedTexts, TextComparison } from './compare/compare-model.ts';
import type { ComposedLayers } from './compose/layer-lines.ts';
import type { GraphEditing } from './graph-editing/editing-types.ts';

/** A range of a text; lines and columns from 1. */
export interface TextRange {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A place of a text; `file` says whether it is YAML or JSON. */
export interface TextPlace {
  readonly text: string;
  readonly file: string;
  readonly offset: number;
}

/** A finding of the pure compiler, with its place in the text. */
export interface RangedDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly suggestion: string | null;
  readonly path: string | null;
  readonly range: TextRange | null;
}

/** A named part of the document. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: string;
  /** Its place in the document. */
  readonly path: string;
  readonly range: TextRange;
  readonly selection: TextRange;
  readonly children: readonly OutlineItem[];
}

/** A step or tool that a rehearsal may answer for, and the fields of its items that later steps read. */
export interface StandIn extends ReplaceablePart {
  readonly reads: readonly FieldPath[];
}

/** What one look at a text gives. `graph` is null when the text has no workflow that can be drawn. */
export interface SpecAnalysis {
  readonly diagnostics: readonly RangedDiagnostic[];
  readonly graph: GraphModel | null;
  /** False when the text could not be read as a document. */
  readonly parsed: boolean;
  /** Range of every node of the graph, by node id. */
  readonly nodeRanges: Readonly<Record<string, TextRange>>;
  /** Range of every line of the graph that the text holds, by its id. */
  readonly lineRanges: Readonly<Record<string, TextRange>>;
  readonly outline: readonly OutlineItem[];
  /** Agents that name no model: the offline runtime answers for them wherever the spec runs. */
  readonly offlineAgents: readonly string[];
  /** The steps and tools that a rehearsal may answer for. */
  readonly standIns: readonly StandIn[];
  /** Where a run of an item flow may begin; null for any other spec. */
  readonly flow: readonly FlowTrigger[] | null;
  /** The credentials that its steps send. */
  readonly credentials: readonly CredentialNeed[];
  /** What the drawing may change, and where that stands; null without a drawing. */
  readonly editing: GraphEditing | null;
  readonly milliseconds: number;
}

export interface CompletionItem {
  readonly label: string;
  readonly detail: string;
  readonly documentation: string;
  readonly insertText: string;
  readonly kind: 'key' | 'value' | 'name' | 'part';
  /** `insertText` has stops. */
  readonly snippet: boolean;
  readonly required: boolean;
  readonly range: TextRange;
}

export interface HoverAnswer {
  readonly markdown: string;
  readonly range: TextRange;
}

export interface RenameTarget {
  readonly name: string;
  readonly range: TextRange;
}

export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** The edits of a rename, or why there are none. */
export type RenameAnswer = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

/** A draft whose names are followed. */
export type DraftText = Omit<ProjectText, 'open'>;

/** A place of a name, among drafts. */
export interface NamePlace {
  readonly texts: readonly DraftText[];
  readonly place: ProjectPlace;
}

/** A range of one of the drafts. */
export interface PlacedName {
  readonly ref: string;
  readonly range: TextRange;
}

/** What a rename changes in one draft. */
export interface FileChange {
  readonly ref: string;
  readonly tie: Tie;
  readonly places: readonly RenamedPlace[];
  readonly edits: readonly TextEdit[];
  /** The text with the edits made. */
  readonly after: string;
  /** Why it cannot be renamed there; null when it can. */
  readonly problem: string | null;
}

/** What a rename changes in all drafts, or why there is none. */
export type AcrossAnswer =
  | { readonly name: string; readonly kind: string; readonly files: readonly FileChange[] }
  | { readonly problem: string };

/** The edits of an operation, or why there are none. */
export type GraphEditAnswer =
  | {
      readonly edits: readonly TextEdit[];
      readonly notes: readonly string[];
      /** The node to look at afterwards: what its address draws as. */
      readonly select: StepAddress | null;
    }
  | { readonly problem: string };

/** A place of a text that is looked at: by its cursor, or by its path in the document. */
export type InspectedPlace =
  | { readonly line: number; readonly column: number }
  | { readonly path: Path };

/** A text that a prompt may hold to read something of its run. */
export interface Variable {
  readonly insert: string;
  readonly about: string;
}

/** What an inspector shows of a place. */
export interface Inspected {
  /** Null where no element stands. */
  readonly form: Form | null;
  readonly variables: readonly Variable[];
  /** False while the text cannot be read. */
  readonly readable: boolean;
}

/** The edits of a change of a form, or why there are none. */
export type FormEditAnswer =
  | {
      readonly edits: readonly TextEdit[];
      /** Where the element stands now, if it was renamed. */
      readonly path: Path | null;
    }
  | { readonly problem: string };

/** A change that answers a finding. */
export interface Fix {
  readonly title: string;
  /** The likeliest change for its finding. */
  readonly preferred: boolean;
  /** The finding: its code and where it is marked. */
  readonly code: string;
  readonly at: TextRange;
  readonly edits: readonly TextEdit[];
}

/** Three texts to merge; the name of their file says whether they are YAML or JSON. */
interface MergeQuestion extends Sides<string> {
  readonly file: string;
  readonly choices: Choices;
}

type Whole = { readonly text: string; readonly file: string };

/** With the registry of the environment that the window uses; null while none is known. */
interface WithRegistry {
  readonly registry?: AttachedRegistry | null;
}

/** Requests to the spec worker and what each answers. */
export type SpecRequests = {
  compare: { input: ComparedTexts; output: TextComparison | null };
  merge: { input: MergeQuestion; output: SpecMerge };
  analyse: { input: Whole & WithRegistry; output: SpecAnalysis };
  locate: { input: Whole & { readonly path: string }; output: TextRange | null };
  complete: { input: TextPlace & WithRegistry; output: readonly CompletionItem[] };
  hover: { input: TextPlace & WithRegistry; output: HoverAnswer | null };
  definition: { input: TextPlace; output: TextRange | null };
  references: { input: TextPlace; output: readonly TextRange[] };
  rename_target: { input: TextPlace; output: RenameTarget | null };
  rename: { input: TextPlace & { readonly name: string }; output: RenameAnswer };
  definition_across: { input: NamePlace; output: readonly PlacedName[] };
  references_across: { input: NamePlace; output: readonly PlacedName[] };
  rename_across: { input: NamePlace & { readonly name: string }; output: AcrossAnswer };
  outline: { input: Whole; output: readonly OutlineItem[] };
  folds: { input: Whole; output: readonly Fold[] };
  fixes: {
    input: Whole & { readonly from: number; readonly to: number };
    output: readonly Fix[];
  };
  format: { input: Whole; output: string };
  graph_edit: {
    input: Whole & { readonly operation: GraphOperation };
    output: GraphEditAnswer;
  };
  /** Where the name of a step stands; null where there is no such step. */
  step_name: { input: Whole & { readonly at: StepAddress }; output: number | null };
  inspect: { input: Whole & { readonly at: InspectedPlace }; output: Inspected };
  form_edit: { input: Whole & { readonly edit: FormEdit }; output: FormEditAnswer };
  layers: {
    input: Whole & { readonly origins: ComposeView['origins'] };
    output: ComposedLayers;
  };
  add_override: {
    input: Whole & { readonly overrides: string; readonly path: Path };
    /** The overrides with that value of the text in them; null when they cannot take it. */
    output: string | null;
  };
  connect_faults: {
    input: Whole & { readonly from: StepAddress };
    output: Readonly<Record<string, string>>;
  };
};

export type SpecRequestName = keyof SpecRequests;
