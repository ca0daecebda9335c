import type { AuthoredArtifact } from '../../server/contract/studio/artifact-view.ts';
import { createStore } from '../ui/store.ts';

/** A draft at one revision that somebody wants to make an artifact of. */
export interface ComposeRequest {
  readonly projectId: string;
  readonly baseRef: string;
  readonly baseRevision: string;
  /** Where to go with the new artifact; its page when absent. */
  readonly onCreated?: (artifact: AuthoredArtifact) => void;
}

/** The open request; null while the dialog is closed. */
export const composeStore = createStore<ComposeRequest | null>(null);
