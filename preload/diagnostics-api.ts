/** What the bridge says of a diagnostics bundle. */

/** One file of the bundle, as it would be saved. */
export interface DiagnosticsFile {
  readonly name: string;
  /** What it is, in words for a person. */
  readonly about: string;
  readonly text: string;
  /** It goes into the bundle unless the person says otherwise. */
  readonly chosen: boolean;
}
