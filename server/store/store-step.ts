export type StoreName = 'platform' | 'dashboard' | 'studio';

/** What is done to a store while it is opened; a large one takes minutes. */
export type StoreStep = { readonly store: StoreName } & (
  | {
      readonly step: 'copying';
      /** The copy that grows meanwhile. */
      readonly file: string;
      /** What the copy will hold at most. */
      readonly bytes: number;
    }
  | {
      readonly step: 'changing';
      /** Which change of how many begins now; the first is 1. */
      readonly change: number;
      readonly changes: number;
    }
  /** It is open. */
  | { readonly step: 'done' }
);

/** Is told of a step before it begins, since the step holds up the whole thread. */
export type OnStoreStep = (step: StoreStep) => void;
