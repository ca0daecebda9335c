import { t } from '../../../preload/texts/t.ts';

/** What the modes of sign-in mean. */
export const AUTH_MODES = {
  static: t('static: nobody signs in, everybody is the same operator'),
  oidc: t('oidc: people sign in at the identity provider'),
} as const;
