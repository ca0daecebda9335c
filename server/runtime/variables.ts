import { flag, ignoring, list, setting, settingsGroup } from '../contract/settings.ts';

/** Where secrets are looked up; the Run Platform's settings hold them too. */
export const SECRET_VARIABLES = settingsGroup({
  title: 'Run Platform',
  prefix: 'SERV_',
  alias: 'KNEO_SERV_',
  settings: {
    SPEC_SECRETS: setting(list, [], 'Names of secrets that every spec may use.'),
    KEYCHAIN: ignoring(
      setting(flag, false, "Whether secrets are looked up in the system's keychain too."),
    ),
  },
});
