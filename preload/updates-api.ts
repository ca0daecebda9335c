/** What the window and the shell tell one another of updates. */

export type UpdateChannel = 'stable' | 'beta';

/**
 * Where an update stands. `off`: this program does not update itself, `why_not` says why; `refused`:
 * the update is wrong; `failed`: it could not be had, which may pass.
 */
export type UpdatePhase =
  | 'off'
  | 'idle'
  | 'checking'
  | 'available'
  | 'downloading'
  | 'paused'
  | 'preparing'
  | 'ready'
  | 'installing'
  | 'refused'
  | 'failed';

/** A newer version that was found and proved. */
export interface UpdateOffer {
  readonly version: string;
  /** Markdown. */
  readonly notes: string;
  /** ISO 8601. */
  readonly released_at: string;
  readonly bytes: number;
}

/** The update that this program is the result of, until its first start has proved good. */
export interface UpdateAfter {
  readonly from: string;
  readonly to: string;
  /** `trying`: the first start is under way; `good`; `bad`: `problem` says what went wrong. */
  readonly outcome: 'trying' | 'good' | 'bad';
  readonly problem: string | null;
  /** The program of that version is still there: one click starts it. */
  readonly program_kept: boolean;
}

export interface UpdateState {
  readonly phase: UpdatePhase;
  /** In words for a person; null unless `off`. */
  readonly why_not: string | null;
  readonly version: string;
  readonly channel: UpdateChannel;
  /** False: nobody is asked unless a person presses the button. */
  readonly automatic: boolean;
  /** What is ready is installed when the program ends. */
  readonly on_quit: boolean;
  /** ISO 8601; null before the first look. */
  readonly checked_at: string | null;
  readonly offer: UpdateOffer | null;
  /** Bytes of the offer that are here. */
  readonly received: number;
  /** The system's own package manager installs it, and asks for a password. */
  readonly asks_password: boolean;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly after: UpdateAfter | null;
}

/** What a person may change. */
export interface UpdateChoices {
  readonly channel?: UpdateChannel;
  readonly automatic?: boolean;
  readonly on_quit?: boolean;
}

/** What the window asks the updater to do. */
export type UpdateAction = 'check' | 'download' | 'pause' | 'restart' | 'dismiss';

/** A copy beside a store. */
export interface ShownCopy {
  readonly store: string;
  /** `before`: made before an update; `newer`: put aside when somebody went back. */
  readonly kind: 'before' | 'newer';
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly made_at: string;
}

/** Copies of the stores, and the version that they lead back to. */
export interface StoreCopies {
  readonly copies: readonly ShownCopy[];
  readonly earlier: string | null;
  /** Why they cannot be shown, in words for a person. */
  readonly problem: string | null;
}
