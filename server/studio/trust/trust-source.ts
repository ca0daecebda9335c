/** Where the host keeps the answers of the trust question, each for one folder. */
export interface TrustAnswers {
  /** The folder that was trusted, while it is still the same folder. */
  folderOf(projectId: string): string | undefined;
  trust(projectId: string, folder: string, at: string): void;
  revoke(projectId: string): void;
}

/** What the host says about code of projects. */
export interface TrustSource {
  readonly answers: TrustAnswers;
  /** The tree of project `default` was trusted at the start. */
  readonly defaultTrusted: boolean;
}
