import type { JsonObject } from '../../kernel/json.ts';
import type { LaunchSource } from './launch.ts';

/** What an author did to a run from the studio, as it is told to the dashboard beside it. */
export interface StudioAct {
  readonly action: 'launch.run' | 'run.cancel';
  readonly outcome: 'ok' | 'error';
  /** Null for whoever sits in front of a studio that asks nobody who they are. */
  readonly who: { readonly subject: string; readonly name: string } | null;
  /** The address of the platform that was asked. */
  readonly platform: string;
  /** The platform's environment. */
  readonly environment: string;
  readonly run_id: string | null;
  readonly source: LaunchSource;
  /** Null where it is not at hand any more. */
  readonly spec: JsonObject | null;
}

/** Tells the dashboard of the same installation what was done; it decides what it keeps. Never rejects. */
export type TellDashboard = (act: StudioAct) => Promise<void>;
