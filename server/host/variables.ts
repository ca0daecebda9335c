import { integerOf, list, optional, setting, settingsGroup, text } from '../contract/settings.ts';

const seconds = integerOf(1);

/** Settings of the program as a whole. */
export const HOST_VARIABLES = settingsGroup({
  title: 'The program',
  prefix: 'SPECWRIGHT_',
  alias: undefined,
  settings: {
    HOME: optional(text, 'The data folder.', "the operating system's usual place"),
    LINK_SECONDS: setting(seconds, 1800, 'Seconds that a sign-in link is good for.'),
    SECRETS_PASSPHRASE_FILE: optional(
      text,
      'A file that holds the passphrase of the stored secrets.',
      'none: they are opened in the window, or when a command asks',
    ),
    SESSION_IDLE_SECONDS: setting(seconds, 8 * 3600, 'Seconds that a session lasts unused.'),
    SESSION_SECONDS: setting(seconds, 7 * 24 * 3600, 'Seconds that a session lasts.'),
    TRUSTED_PROXIES: setting(
      list,
      [],
      "Addresses or ranges of proxies before the workbench whose forwarding headers count, on a team's server.",
    ),
  },
});
