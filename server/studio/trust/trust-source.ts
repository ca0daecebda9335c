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
  /** True while the platform that is asked belongs to this installation: trust is about its code. */
  isHere(): boolean;
  /**
   * Follows the list when it changed since the last time, and when the platform of this installation
   * has come; who asks meanwhile waits for it. While that platform is away nothing is followed, so
   * that its restart changes no binding.
   */
  onChange(follow: () => Promise<void>): Promise<void>;
}

/** Notices changes of the list by its version. */
export function watchTrust(source: TrustSource, isHere: () => boolean): WatchedTrust {
  const versionNow = () => (isHere() ? `list ${source.folders.version()}` : undefined);
  let seen = versionNow();
  let turn: Promise<void> = Promise.resolve();
  return {
    ...source,
    isHere,
    onChange(follow) {
      const version = versionNow();
      if (version !== undefined && version !== seen) {
        seen = version;
        turn = turn.then(follow, follow);
      }
      return turn;
    },
  };
}
