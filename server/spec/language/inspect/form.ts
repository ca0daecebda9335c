import type { Json } from '../../../kernel/json.ts';
import type { BlockName } from '../../schema/field-help.ts';
import type { Severity } from '../../values/diagnostic.ts';
import type { Path } from '../../values/path.ts';

/** How the value of a field is shown and given. */
export type FieldKind =
  | 'text'
  /** A text of many lines, such as a prompt. */
  | 'long'
  /** One of a closed list. */
  | 'choice'
  | 'number'
  | 'integer'
  | 'boolean'
  /** A list of texts. */
  | 'texts'
  /** A single value of any type, or any value at all as JSON. */
  | 'any'
  | 'json'
  /** A mapping with fields of its own. */
  | 'group'
  /** Elements with forms of their own. */
  | 'parts';

/** What is wrong with a field. */
export interface FieldFinding {
  readonly severity: Severity;
  readonly message: string;
}

/** An element inside of another one. */
export interface FormPart {
  readonly label: string;
  readonly path: Path;
}

/** One field of an element as a form shows it. */
export interface FormField {
  readonly key: string;
  readonly path: Path;
  readonly kind: FieldKind;
  readonly help: string;
  readonly required: boolean;
  /** The text gives it a value, which may be null. */
  readonly written: boolean;
  readonly value: Json;
  /** What holds where it is not written. */
  readonly standard: string | null;
  /** What it may be; for a text, what is likely. */
  readonly choices: readonly string[];
  /** The language does not know the field: it is kept as it is written. */
  readonly unknown: boolean;
  /** Its value stands behind an alias, so that only the text can change it. */
  readonly elsewhere: boolean;
  readonly findings: readonly FieldFinding[];
  /** The fields of a group. */
  readonly fields: readonly FormField[];
  readonly parts: readonly FormPart[];
  /** It holds a list, whose items have an order. */
  readonly list: boolean;
}

/** What a part of a form is about. */
export type FormSubject = BlockName | 'flow_step' | 'settings';

/** An element, or a part of what the text says of it, as a form. */
export interface FormSection {
  readonly subject: FormSubject;
  readonly path: Path;
  /** The name that it is referred to by; null where it has none of its own. */
  readonly name: string | null;
  readonly help: string;
  /** In words of an imported workflow's source what the element was there. */
  readonly about: string | null;
  readonly findings: readonly FieldFinding[];
  readonly fields: readonly FormField[];
}

/** The form of an element of a text: its own fields, then those of what it runs. */
export interface Form {
  readonly path: Path;
  readonly sections: readonly FormSection[];
}

/** A change of a list. Positions count from 0. */
export type ListEdit =
  /** A new item at the end of the list at the path, with its required fields. */
  | { readonly op: 'add'; readonly path: Path }
  /** A value before a position of a list (its length: at the end). */
  | { readonly op: 'insert'; readonly path: Path; readonly value: Json }
  /** An item, or an entry of a mapping that nothing names. */
  | { readonly op: 'remove'; readonly path: Path }
  /** An item to another position, counted after its removal. */
  | { readonly op: 'move'; readonly path: Path; readonly to: number };

/** A change that a form makes. */
export type FormEdit =
  | ListEdit
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'clear'; readonly path: Path }
  /** Gives an element another name, everywhere. */
  | { readonly op: 'rename'; readonly path: Path; readonly name: string };
