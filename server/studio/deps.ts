import type { TellDashboard } from '../contract/dashboard/studio-acts.ts';
import type { AnalyzeInput } from '../importers/analysis.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { AnalysisKeyring } from './analyses/keyring.ts';
import type { StudioConfig } from './config.ts';
import type { PlatformConnections } from './environments/platform-connections.ts';
import type { ProjectLocks } from './files/project-locks.ts';
import type { GitStatuses } from './git/git-statuses.ts';
import type { DraftReader } from './govern/draft-reader.ts';
import type { Db } from './handle.ts';
import type { ConvertedOutcome } from './imports/analysis-threads.ts';
import type { EarlierDraft, RelatedSource } from './imports/analyze-together.ts';
import type { SignIn } from './session/sign-in.ts';
import type { TreeWatch } from './tree/tree-watch.ts';
import type { WatchedTrust } from './trust/trust-source.ts';

/** What use cases receive. */
export interface StudioDeps {
  readonly db: Db;
  /** Whether the store can be written. */
  canWrite(): Promise<boolean>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly config: StudioConfig;
  /** How people sign in. */
  readonly signIn: SignIn;
  readonly locks: ProjectLocks;
  /** Trees that windows show. */
  readonly trees: TreeWatch;
  /** What git says of the folders of projects. */
  readonly git: GitStatuses;
  readonly keyring: AnalysisKeyring;
  readonly connections: PlatformConnections;
  /** Version of this program, for what it writes. */
  readonly appVersion: string;
  /** Folder of the state home; snapshots live below it. */
  readonly stateDir: string;
  /** Parent of managed projects; undefined = projects cannot be created. */
  readonly workspaceBase: string | undefined;
  /** The importer; runs in a worker where the host wants it so. */
  analyze(
    input: AnalyzeInput,
    related?: readonly RelatedSource[],
    drafts?: readonly EarlierDraft[],
  ): Promise<ConvertedOutcome>;
  /** Reads the texts of drafts. */
  readonly drafts: DraftReader;
  /** Who trusts which project's code; undefined where code of projects cannot run. */
  readonly trust: WatchedTrust | undefined;
  /** The capability policy of a new binding to a profile, of the project in a folder (decisions 19). */
  defaultPolicy(profile: string, root: string): 'strict' | 'local';
  /** Tells the dashboard of this installation; undefined where there is none. */
  readonly tellDashboard: TellDashboard | undefined;
  /** The present time in the stored form. */
  timestamp(): string;
}
