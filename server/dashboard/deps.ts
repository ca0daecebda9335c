import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { PlatformClient } from '../platform-client/client.ts';
import type { Capability, Role } from './access/capabilities.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { DashboardConfig } from './config.ts';
import type { DashboardStore } from './dashboard-store.ts';
import type { Db } from './handle.ts';
import type { PlatformConnections } from './platform-connections.ts';
import type { SignInPort } from './session/sign-in-port.ts';
import type { StreamSlots } from './trace/stream-slots.ts';
import type { TraceLogs } from './trace/trace-logs.ts';

/** What the use cases receive. */
export interface DashboardDeps {
  readonly db: Db;
  /** Of this program. */
  readonly version: string;
  readonly store: DashboardStore;
  readonly config: DashboardConfig;
  readonly platforms: PlatformConnections;
  readonly audit: AuditLog;
  readonly streams: StreamSlots;
  readonly traceLogs: TraceLogs;
  /** How operators sign in; undefined = everybody is the static operator. */
  readonly signIn: SignInPort | undefined;
  /** The window is served from here too. */
  readonly servesWindow: boolean;
  /** Aborted when the service stops: live streams end. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Who asks, resolved before any handler runs. */
export interface Operator {
  readonly identity: string;
  readonly role: Role;
  readonly capabilities: readonly Capability[];
  /** Environments the role may use; null = all. */
  readonly environments: readonly string[] | null;
  /** The active environment of the request; null = none chosen. */
  readonly environment: string | null;
  /**
   * The platform of the active environment.
   * @throws Refusal `platform_not_configured`.
   */
  platform(): PlatformClient;
  /** Where that platform is asked, without what may be secret; null where there is none. */
  platformAddress(): string | null;
}
