import type { TellDashboard } from '../contract/dashboard/studio-acts.ts';
import type { DashboardConfig } from '../dashboard/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { RunningService } from '../kernel/running-service.ts';
import type { PlatformOptions } from '../platform/service-options.ts';
import type { OnStoreStep } from '../store/store-step.ts';
import type { StudioConfig } from '../studio/config.ts';
import type { OpenedProject } from '../studio/host/open-folder.ts';
import type { TrustSource } from '../studio/trust/trust-source.ts';

/** What every service is given. */
interface Common {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly databaseFile: string;
  readonly migrationsDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly onStoreStep?: OnStoreStep | undefined;
}

/** The platform that a dashboard or studio talks to. */
export interface PlatformAccess {
  readonly url: string;
  readonly apiKey?: string;
  /** False: it belongs to somebody else. */
  readonly embedded: boolean;
}

/** What the host gives the dashboard. */
export interface DashboardDoor extends Common {
  readonly config: DashboardConfig;
  readonly platform: PlatformAccess;
  readonly requireKeys: readonly string[];
  readonly spaDir?: string;
  readonly version?: string;
}

/** What the host gives the studio. */
export interface StudioDoor extends Common {
  readonly config: StudioConfig;
  readonly appVersion: string;
  readonly stateDir: string;
  readonly workspaceBase: string;
  readonly projectRoot: string;
  readonly trusted: boolean;
  readonly codeTrust: TrustSource;
  readonly platform: PlatformAccess;
  readonly requireKeys: readonly string[];
  readonly gatewayKey: string;
  readonly tellDashboard: TellDashboard;
}

/** A dashboard that runs, and what it is told by its neighbours. */
export interface RunningDashboard extends RunningService {
  readonly tell: TellDashboard;
}

/** A studio that runs, and the way in for the person in front of the machine. */
export interface RunningStudio extends RunningService {
  /** Makes a folder a project, or finds the one that it is. @throws Refusal that says why not */
  openFolder(folder: string): Promise<OpenedProject>;
}

/** The three services as the host starts them; a seam, so that the order of starts can be tested. */
export interface ServiceDoors {
  platform(options: PlatformOptions): Promise<RunningService>;
  dashboard(options: DashboardDoor): Promise<RunningDashboard>;
  studio(options: StudioDoor): Promise<RunningStudio>;
}
