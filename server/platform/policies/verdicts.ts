/** Whether two policies would have blocked a run. */
export interface Verdicts {
  readonly before: boolean;
  readonly after: boolean;
}
