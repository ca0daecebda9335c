/** The folders that a person trusts, as the host keeps them. */
interface FolderList {
  has(folder: string): boolean;
  add(folder: string, at: string): void;
  remove(folder: string): boolean;
  /** Changes with every change of the list. */
  version(): string | undefined;
}

/** What the host says about code of projects. */
export interface TrustSource {
  readonly folders: FolderList;
  /** Tells the platform where the projects are, by their ids. */
  notePlaces(places: Readonly<Record<string, string>>): void;
  /** The tree of project `default` was trusted at the start. */
  readonly defaultTrusted: boolean;
}

/** The same, with a way to notice what another program changed. */
export interface WatchedTrust extends TrustSource {
  /** Follows the list when it changed since the last time; who asks meanwhile waits for it. */
  onChange(follow: () => Promise<void>): Promise<void>;
}

/** Notices changes of the list by its version. */
export function watchTrust(source: TrustSource): WatchedTrust {
  let seen = source.folders.version();
  let turn: Promise<void> = Promise.resolve();
  return {
    ...source,
    onChange(follow) {
      const version = source.folders.version();
      if (version !== seen) {
        seen = version;
        turn = turn.then(follow, follow);
      }
      return turn;
    },
  };
}
