/** What the modes of sign-in mean. */
export const AUTH_MODES = {
  static: 'static: nobody signs in, everybody is the same operator',
  oidc: 'oidc: people sign in at the identity provider',
} as const;
