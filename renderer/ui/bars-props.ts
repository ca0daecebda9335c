/** What bars are drawn of. */
export interface BarsProps {
  /** What the bars show, for who does not see them. */
  readonly title: string;
  readonly rows: readonly {
    readonly label: string;
    readonly values: Readonly<Record<string, number>>;
  }[];
  /** The parts of a bar, from below. */
  readonly series: readonly {
    readonly key: string;
    readonly label: string;
    readonly color: string;
  }[];
  /** A value in words. */
  readonly text: (value: number) => string;
  readonly decimals?: boolean;
  /** A line across all bars. */
  readonly line?: { readonly at: number; readonly label: string };
  readonly height?: number;
}
