import { randomUUID } from 'node:crypto';
import { type Environment, readSettings } from '../../contract/settings.ts';
import { CLIENT_VARIABLES, PROJECT_VARIABLES } from '../../platform/variables.ts';

/** What the environment tells the command line (contract/platform.md 12). Times in milliseconds. */
export interface CliSettings {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  /** Key of a connection that no profile gives one. */
  readonly apiKey: string | undefined;
  readonly profilesPath: string | undefined;
  readonly environment: string | undefined;
  readonly projectConfig: string | undefined;
  /** The Idempotency-Key of one command. */
  idempotencyKey(): string;
}

/** Reads the settings. @throws StartRefusal for a malformed number. */
export function readCliSettings(env: Environment): CliSettings {
  const client = readSettings(CLIENT_VARIABLES, env);
  const project = readSettings(PROJECT_VARIABLES, env);
  return {
    timeoutMs: client.CLIENT_TIMEOUT * 1000,
    retries: client.CLIENT_RETRIES,
    backoffMs: client.CLIENT_RETRY_BACKOFF_SECONDS * 1000,
    apiKey: client.API_KEY,
    profilesPath: client.PROFILES_PATH,
    environment: project.ENV,
    projectConfig: project.PROJECT_CONFIG,
    idempotencyKey: () => client.IDEMPOTENCY_KEY ?? `cli-${randomUUID()}`,
  };
}
