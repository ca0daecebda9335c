/** What a view needs that merges two texts by what they say. */
export interface MeaningMergeProps {
  /** The text that both began with. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** Name of the file, which says whether it is YAML or JSON. */
  readonly file: string;
  /** The merged text; undefined while a change is to be decided. Stable between renders. */
  readonly onMerged: (text: string | undefined) => void;
}
