/** What the bridge says of the program's log. */

/** `output` is what a process wrote that is no line of a log. */
export type LogLevel = 'info' | 'warn' | 'error' | 'output';

export interface LogLine {
  /** Its place in the log; it grows from line to line and stays while the program runs. */
  readonly at: number;
  readonly time: string | null;
  readonly level: LogLevel;
  readonly source: 'shell' | 'services';
  /** Secrets are masked. */
  readonly text: string;
  /** What was noted beside the text, as JSON; empty where there is nothing. */
  readonly fields: string;
}

/** Some lines of the log, oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Where the page before ends; null where the log begins. */
  readonly earlier: number | null;
  /** Where the page ends: what comes later begins there. */
  readonly end: number;
}

/** A page before a place of the log (null: the last one), or what was written after a place. */
export type LogRequest = { readonly before: number | null } | { readonly after: number };
