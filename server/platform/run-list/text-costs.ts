/** How common a text is, by a sample of all runs. */
export interface TextShare {
  /** Runs of the sample. */
  readonly runs: number;
  /** Those of them that hold the text, and those that the index of texts would name. */
  readonly found: number;
  readonly named: number;
  /** About how many runs the store has. */
  readonly stored: number;
}

/** Microseconds for one run, measured over a million of them (decision 45). */
const LOOKED_UP_US = 1.6;
const SCANNED_US = 0.5;
/** A run that the index names is read from anywhere in the store; all of them are read in one go. */
const NAMED_US = 4;
const READ_US = 1;

/** What the sample has none of is taken for half a run of it. */
const partOf = (runs: number, of: number): number => Math.max(runs, 0.5) / Math.max(of, 1);

/** How many of `runs` are seen until `reach` matches are found. */
const seen = ({ runs, found }: TextShare, among: number, reach: number): number =>
  Math.min(among, reach / partOf(found, runs));

const indexCost = ({ runs, named, stored }: TextShare): number =>
  stored * Math.min(NAMED_US * partOf(named, runs), READ_US);

/** True when a walk over `runs` that ends at `reach` matches costs less than the index of texts. */
export function isWalkCheaper(share: TextShare, runs: number, reach: number): boolean {
  return LOOKED_UP_US * seen(share, runs, reach) <= indexCost(share);
}

/** The same in whatever order runs are stored, where nothing but the text is asked for. */
export function isScanCheaper(share: TextShare, runs: number, reach: number): boolean {
  return SCANNED_US * seen(share, runs, reach) <= indexCost(share);
}
