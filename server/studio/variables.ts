import { DATABASE_SETTINGS, databaseAddress } from '../contract/database.ts';
import {
  ignoring,
  integerOf,
  list,
  optional,
  portNumber,
  setting,
  settingsGroup,
  text,
  unusable,
  wordOf,
} from '../contract/settings.ts';
import { AuthMode } from '../contract/studio/session.ts';

const GIB = 1024 ** 3;
const positive = integerOf(1);

/** Every setting of the studio (studio.md 19). */
export const STUDIO_VARIABLES = settingsGroup({
  title: 'Authoring Studio',
  prefix: 'STUDIO_',
  alias: 'KNEO_STUDIO_',
  settings: {
    AUTH_MODE: setting(
      wordOf(AuthMode.options),
      'none',
      'How people sign in: not at all, with passwords of a file, or at an identity provider.',
    ),
    HOST: setting(text, '127.0.0.1', 'Address of the listener.'),
    PORT: setting(portNumber, 8091, 'Port of the listener; 0 takes a free one.'),
    PROJECT_ROOT: optional(text, 'Tree of the project `default`.', "the program's own"),
    WORKSPACE_BASE: optional(text, 'Folder in which new projects are made.'),
    ATTACHABLE_ROOTS: setting(list, [], 'Folders in which an operator may attach trees.'),
    ALLOWED_HOSTS: setting(list, [], 'Names that the listener answers to beside its own.'),
    CORS_ORIGINS: setting(list, [], 'Origins whose pages may call the API.'),
    TRUSTED_PROXIES: setting(
      list,
      [],
      'Addresses or ranges of proxies whose forwarding headers count; needs sign-in.',
    ),
    PROFILES_FILE: optional(
      text,
      'File of the profiles.',
      '`specwright/profiles.toml` in the configuration folder',
    ),
    DEFAULT_PROFILE: optional(text, 'Profile that new projects are bound to.'),
    DEFAULT_PLATFORM_ENVIRONMENT: setting(text, 'dev', 'Environment of such a binding.'),
    PROJECT_LIMIT: setting(positive, 100, 'Projects that one person may have.'),
    DEPLOYMENT_CAP: setting(positive, 5 * GIB, 'Bytes of snapshots of all projects.', '5 GiB'),
    MAX_REQUEST_BYTES: ignoring(setting(positive, 4_194_304, 'Bytes of a request.')),
    RECOVERY_INTERVAL_SECONDS: setting(positive, 60, 'Seconds between looks for lost test runs.'),
    RECOVERY_LEASE_SECONDS: setting(positive, 300, 'Seconds that such a look may take.'),
    ANALYSIS_KEYS: optional(
      text,
      'Keys of stored analyses: `id:base64`, with commas.',
      'a file of the data folder',
    ),
    ANALYSIS_ACTIVE_KEY_ID: optional(text, 'The key that new ones are sealed with.'),
    DB_URL: optional(
      databaseAddress,
      'PostgreSQL that holds the state instead of a file: `postgres://user:password@host/database`.',
      '`studio/studio.db` in the data folder',
    ),
    DATABASE_URL: optional(databaseAddress, 'The same as DB_URL, by the name of other services.'),
    ...DATABASE_SETTINGS,
    RELOAD: unusable('it is for the development of another program'),
    USERS_FILE: optional(text, 'JSON file of people with their argon2id hashes; mode `static`.'),
    OIDC_PROVIDER_FILE: optional(text, 'JSON file of the identity provider; mode `oidc`.'),
    LOGIN_FAILURE_LIMIT: ignoring(
      setting(positive, 10, 'Failed sign-ins of an address and name in a minute.'),
    ),
    LOGIN_VERIFY_CONCURRENCY: ignoring(
      setting(positive, 2, 'Passwords and tokens that are checked at once.'),
    ),
    LOGIN_START_LIMIT: ignoring(
      setting(positive, 20, 'Sign-ins at the provider that an address may begin in a minute.'),
    ),
    MAX_OIDC_ATTEMPTS: ignoring(setting(positive, 1000, 'Sign-ins at the provider under way.')),
  },
});
