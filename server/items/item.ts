export type JsonObject = Record<string, unknown>;

/** A file beside an item: what it is, and its bytes in base64 or a name under which they are kept. */
export interface BinaryReference {
  readonly mimeType: string;
  readonly data?: string;
  readonly id?: string;
  readonly fileName?: string;
  readonly fileExtension?: string;
  readonly fileType?: string;
  readonly fileSize?: string;
  readonly bytes?: number;
}

/** The item that another one was made of: its number in what the step was given. */
export interface Pairing {
  readonly item: number;
  readonly input?: number;
  /** The step was given the item by this one, whatever the record of the run says. */
  readonly sourceOverwrite?: {
    readonly previousNode: string;
    readonly previousNodeOutput?: number;
    readonly previousNodeRun?: number;
  };
}

export type PairedItem = number | Pairing | readonly (number | Pairing)[] | null;

/** What a step takes and gives, one after another. */
export interface Item {
  readonly json: JsonObject;
  readonly binary?: Readonly<Record<string, BinaryReference>>;
  readonly pairedItem?: PairedItem;
  readonly error?: { readonly message: string };
}

/** One list for each output of a step; null says that the output gave nothing, not even an empty list. */
export type Outputs = readonly (readonly Item[] | null)[];
