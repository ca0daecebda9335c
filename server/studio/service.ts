import { chmod, mkdir } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { TellDashboard } from '../contract/dashboard/studio-acts.ts';
import type { Served } from '../contract/served.ts';
import { refuse } from '../contract/studio/errors.ts';
import { knownNames } from '../http/door-guard.ts';
import { createHttpApp } from '../http/http-app.ts';
import { tellSettings } from '../http/tell-settings.ts';
import { hasWindow, serveWindow } from '../http/window-files.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { RunningService } from '../kernel/running-service.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import type { OnStoreStep } from '../store/store-step.ts';
import { loadKeyring } from './analyses/keyring.ts';
import { sweepSnapshots } from './artifacts/snapshots.ts';
import type { Caller } from './caller.ts';
import { refuseOpenDoor, type StudioConfig } from './config.ts';
import type { StudioDeps } from './deps.ts';
import { settleTreeOperations } from './drafts/tree-operations.ts';
import { LOCAL_PROFILE, PlatformConnections } from './environments/platform-connections.ts';
import { ProjectLocks } from './files/project-locks.ts';
import { GitStatuses } from './git/git-statuses.ts';
import { createDraftReader, type DraftReader } from './govern/draft-reader.ts';
import { type OpenedProject, openFolder } from './host/open-folder.ts';
import { type AnalysisThreads, createAnalysisThreads } from './imports/analysis-threads.ts';
import { forgetOldKeys } from './imports/import-key.ts';
import { registerStudio } from './plugin.ts';
import { studioProfile } from './profile.ts';
import { listProjectRows } from './projects/projects-repository.ts';
import { seed } from './seed.ts';
import { sweepSignIn } from './session/sessions-repository.ts';
import { openSignIn, type SignIn } from './session/sign-in.ts';
import { openStudioStore, type StudioStore } from './studio-store.ts';
import { startRecovery } from './test-runs/recover-test-runs.ts';
import { emptyTrash, startEmptyingTrash } from './tree/empty-trash.ts';
import { TreeWatch } from './tree/tree-watch.ts';
import { type TrustSource, type WatchedTrust, watchTrust } from './trust/trust-source.ts';

export interface StudioOptions {
  readonly config: StudioConfig;
  readonly host: string;
  readonly port: number;
  /** The configuration may name an external database instead. */
  readonly databaseFile: string;
  /** Folder of the keyring, the snapshots and the trash; made when absent, mode 0700. */
  readonly stateDir: string;
  readonly migrationsDir: string;
  /** Parent of managed projects; undefined = projects cannot be created. */
  readonly workspaceBase?: string | undefined;
  /** Tree of project `default`; undefined = the one that is known, at first start the working directory. */
  readonly projectRoot?: string | undefined;
  /** Whether the trees of this installation may use what the host offers (decisions 19). */
  readonly trusted: boolean;
  /** Answers of the trust question, and whether the tree of the start is trusted; absent where no code of projects runs. */
  readonly codeTrust?: TrustSource | undefined;
  /**
   * The platform behind profile `local`; `embedded` false = it belongs to somebody else. A question
   * where it may come and go while the studio runs.
   */
  readonly platform: {
    readonly url: string;
    readonly apiKey?: string | undefined;
    readonly embedded?: boolean | (() => boolean) | undefined;
  };
  /** The listener demands one of these when there are any (decisions 42, 44). */
  readonly requireKeys?: readonly string[] | undefined;
  /** Who shows it is the program's own gateway, which says for whom it asks. */
  readonly gatewayKey?: string | undefined;
  /** Tells the dashboard of this installation what authors run; absent where there is none. */
  readonly tellDashboard?: TellDashboard | undefined;
  /** Names that the listener answers to beside its own and those of STUDIO_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The built window, to be served from here too. */
  readonly spaDir?: string | undefined;
  /** Version of this program. */
  readonly appVersion: string;
  readonly analyze?: StudioDeps['analyze'] | undefined;
  readonly clock: Clock;
  /** Is told how far the store is brought up to date. */
  readonly onStoreStep?: OnStoreStep | undefined;
  readonly ids: Ids;
  readonly log: Log;
  /** Tests: an answer outside its schema is an internal error. */
  readonly checkResponses?: boolean | undefined;
}

/** Trust is given to this computer's own platform, by whoever sits in front of it. */
function trustSource(
  { codeTrust, config }: StudioOptions,
  isHere: () => boolean,
): WatchedTrust | undefined {
  if (codeTrust === undefined || config.authMode !== 'none') return undefined;
  return watchTrust(codeTrust, isHere);
}

function buildDeps(
  options: StudioOptions,
  store: StudioStore,
  threads: AnalysisThreads,
  drafts: DraftReader,
  signIn: SignIn,
): StudioDeps {
  const { clock, ids, log, platform } = options;
  const defaultProfile = options.config.defaultProfile ?? LOCAL_PROFILE;
  const config: StudioConfig = { ...options.config, defaultProfile };
  const { embedded = true } = platform;
  const isHere = typeof embedded === 'function' ? embedded : () => embedded;
  const trust = trustSource(options, isHere);
  return {
    db: store.db,
    canWrite: () => store.hasRoom(),
    clock,
    ids,
    log,
    config,
    signIn,
    locks: new ProjectLocks(),
    trees: new TreeWatch(),
    git: new GitStatuses(),
    keyring: loadKeyring(options.stateDir, config.analysisKeys),
    connections: new PlatformConnections({
      local: { url: platform.url, apiKey: platform.apiKey },
      profilesFiles: config.profilesFiles,
      ids,
    }),
    appVersion: options.appVersion,
    stateDir: options.stateDir,
    workspaceBase: options.workspaceBase ?? config.workspaceBase,
    analyze: options.analyze ?? threads.convert,
    drafts,
    trust,
    defaultPolicy(profile, root) {
      const mayRun = options.trusted || trust?.folders.has(root) === true;
      return profile === LOCAL_PROFILE && isHere() && mayRun ? 'local' : 'strict';
    },
    tellDashboard: options.tellDashboard,
    timestamp: () => toTimestamp(clock.now()),
  };
}

/** Serves the window from the studio's own address. */
function registerWindow(fastify: FastifyInstance, options: StudioOptions, signIn: SignIn): void {
  const { spaDir: folder, requireKeys = [] } = options;
  if (!hasWindow(folder)) return;
  const open = requireKeys.length > 0 ? 'key' : 'none';
  const served: Served = {
    service: 'studio',
    sign_in: signIn.mode === 'none' ? open : signIn.mode,
    provider: signIn.mode === 'oidc' ? new URL(signIn.provider.issuer).hostname : null,
  };
  const refuseMethod = (): never => {
    throw refuse('method_not_allowed');
  };
  serveWindow(fastify, { folder, served, refuseMethod });
}

async function settle(deps: StudioDeps, projectRoot: string | undefined): Promise<void> {
  await seed(deps, projectRoot);
  await sweepSignIn(deps.db, deps.timestamp());
  await settleTreeOperations(deps);
  await forgetOldKeys(deps);
  await emptyTrash(deps);
  for (const project of await listProjectRows(deps.db)) await sweepSnapshots(deps, project.id);
}

/**
 * Starts the studio: opens and migrates its store, finishes or undoes what an earlier process left
 * half done, listens.
 * @throws StoreError, StartRefusal with what to do; nothing is left open.
 */
export async function startStudio(
  options: StudioOptions,
): Promise<RunningService & { openFolder(folder: string): Promise<OpenedProject> }> {
  if (options.config.authMode === 'none') refuseOpenDoor(options.host);
  tellSettings(options.log, options.config);
  await mkdir(options.stateDir, { recursive: true, mode: 0o700 });
  await chmod(options.stateDir, 0o700);
  const store = await openStudioStore({ ...options, external: options.config.external });
  const threads = createAnalysisThreads();
  const drafts = createDraftReader();
  try {
    const signIn = await openSignIn(options.config, options.clock, options.gatewayKey);
    const deps = buildDeps(options, store, threads, drafts, signIn);
    await settle(deps, options.projectRoot ?? options.config.projectRoot);
    const app = createHttpApp<Caller>(
      studioProfile(deps, {
        keys: deps.config.authMode === 'none' ? (options.requireKeys ?? []) : [],
        door: {
          knows: knownNames(options.host, [
            ...deps.config.allowedHosts,
            ...(options.allowedHosts ?? []),
          ]),
          origins: deps.config.corsOrigins,
          refererFor: 'changes',
        },
        checkResponses: options.checkResponses ?? false,
        hasWindow: hasWindow(options.spaDir),
      }),
    );
    registerStudio(app, deps);
    registerWindow(app.fastify, options, signIn);
    const { url, port } = await app.listen(options.host, options.port);
    const recovery = startRecovery(deps);
    const trash = startEmptyingTrash(deps);
    return {
      url,
      port,
      openFolder: (folder) => openFolder(deps, folder),
      stop: async () => {
        await app.close();
        deps.trees.close();
        await Promise.all([recovery.stop(), trash.stop()]);
        await Promise.all([threads.close(), drafts.close()]);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
