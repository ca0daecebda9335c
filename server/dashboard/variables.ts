import { z } from 'zod';
import { DATABASE_SETTINGS, databaseAddress } from '../contract/database.ts';
import {
  flag,
  integerOf,
  jsonOf,
  list,
  numberOf,
  optional,
  portNumber,
  setting,
  settingsGroup,
  text,
  wordOf,
} from '../contract/settings.ts';
import { ROLES } from './access/capabilities.ts';

const seconds = numberOf({ min: 0 });
const aboveZero = numberOf({ above: 0 });
const roleMap = jsonOf(
  z.record(z.string(), z.enum(ROLES)),
  `a JSON object whose values are ${ROLES.join(', ')}`,
);
const origins = jsonOf(z.array(z.string()), 'a JSON list of texts');

/** Every setting of the dashboard (contract/dashboard.md 2). */
export const DASHBOARD_VARIABLES = settingsGroup({
  title: 'Operations Dashboard',
  prefix: 'DASH_',
  alias: 'KNEO_DASH_',
  settings: {
    AUTH_MODE: setting(wordOf(['static', 'oidc']), 'static', 'How operators sign in.'),
    DEV_MODE: setting(flag, false, 'Must be on where everybody is the static operator.'),
    STATIC_OPERATOR_ROLE: setting(wordOf(ROLES), 'admin', 'Role of the static operator.'),
    SESSION_SECRET: optional(text, 'Secret of sessions.'),
    SESSION_COOKIE_NAME: setting(text, 'dash_session', 'Name of the session cookie.'),
    SESSION_TTL_SECONDS: setting(numberOf({ min: 1 }), 43_200, 'Seconds that a session lasts.'),
    SESSION_IDLE_SECONDS: setting(seconds, 1800, 'Seconds that a session lasts unused; 0 = any.'),
    SESSION_PURGE_INTERVAL_SECONDS: setting(
      seconds,
      3600,
      'Seconds between removals of old sessions; 0 = never.',
    ),
    OIDC_ISSUER: optional(text, 'Address of the identity provider.'),
    OIDC_CLIENT_ID: optional(text, 'Name of this client at the provider.'),
    OIDC_CLIENT_SECRET: optional(text, 'Its secret.'),
    OIDC_REDIRECT_URL: optional(text, 'Where the provider sends people back to.'),
    OIDC_SCOPES: setting(text, 'openid email profile', 'Scopes that are asked for.'),
    OIDC_ROLE_CLAIM: setting(text, 'roles', 'Claim that holds the role.'),
    OIDC_ROLE_MAP: setting(roleMap, {}, 'Value of the claim → role.', '`{}`'),
    OIDC_BOOTSTRAP_ADMIN: optional(text, 'Who is always an admin.'),
    OIDC_TOKEN_AUDIENCE: optional(
      text,
      'Audience of the access tokens that windows and programs of people bring; without it none is taken.',
    ),
    POST_LOGIN_REDIRECT: setting(text, '/', 'Where people go after they signed in.'),
    DEFAULT_PROFILE: optional(text, 'Profile that counts when no environment is active.'),
    PROFILES_FILE: optional(
      text,
      'File of the profiles.',
      '`specwright/profiles.toml` in the configuration folder',
    ),
    HOST: setting(text, '127.0.0.1', 'Address of the listener.'),
    PORT: setting(portNumber, 8090, 'Port of the listener; 0 takes a free one.'),
    ALLOWED_HOSTS: setting(list, [], 'Names that the listener answers to beside its own.'),
    DB_URL: optional(
      text,
      'Where the store is: a path, `sqlite:///…`, `:memory:`, or as DATABASE_URL.',
      '`dashboard.db` in the data folder',
    ),
    DATABASE_URL: optional(
      databaseAddress,
      'PostgreSQL that holds the state instead of a file: `postgres://user:password@host/database`.',
    ),
    ...DATABASE_SETTINGS,
    SPA_DIR: optional(text, 'Folder of the built user interface.', 'the bundled one'),
    CORS_ORIGINS: setting(origins, [], 'Origins whose pages may call the API.', '`[]`'),
    STUCK_RUNNING_SECONDS: setting(seconds, 120, 'Seconds without progress of a stuck run.'),
    STUCK_BLOCKED_SECONDS: setting(
      seconds,
      300,
      'Seconds before its deadline from which a blocked run is stuck.',
    ),
    HITL_NEAR_DEADLINE_SECONDS: setting(
      seconds,
      300,
      'Seconds before its deadline from which a task is urgent.',
    ),
    SSE_SEND_TIMEOUT_SECONDS: setting(
      aboveZero,
      30,
      'Seconds for one write to the reader of a stream.',
    ),
    SSE_MAX_STREAMS_PER_OPERATOR: setting(integerOf(1), 5, 'Streams that one operator may open.'),
    GRAFANA_URL: optional(text, 'Address that the overview links to.'),
    METRICS_TOKEN: optional(text, 'At least 32 characters: `/metrics` is served to who has it.'),
  },
});

/** The platform of the dashboard's unnamed profile, and of the gateway. */
export const CONNECTION_VARIABLES = settingsGroup({
  title: 'Connection to another platform',
  prefix: 'PLATFORM_',
  alias: 'KNEO_',
  settings: {
    URL: optional(text, 'Address of the platform.', 'the embedded one'),
    API_KEY: optional(text, 'Key that it is asked with.'),
    AUTH_SCHEME: setting(wordOf(['bearer', 'x-kneo-api-key']), 'bearer', 'How the key is sent.'),
    TIMEOUT: setting(aboveZero, 30, 'Seconds to connect, and for each wait for an answer.'),
  },
});
