/** Scopes of the Run Platform (contract/platform.md 7). */
export const PLATFORM_SCOPES = [
  'runs:read',
  'runs:write',
  'specs:read',
  'human:read',
  'human:write',
  'audit:read',
  'audit:write',
  'credentials:read',
  'policies:read',
  'policies:write',
  'events:read',
  'events:write',
  '*',
] as const;

export type PlatformScope = (typeof PLATFORM_SCOPES)[number];

/** Role → scopes (contract/platform.md 7). */
export const PLATFORM_ROLES = {
  admin: ['*'],
  operator: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'audit:read',
    'credentials:read',
    'policies:read',
    'policies:write',
    'events:read',
  ],
  service: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'human:write',
    'audit:read',
    'audit:write',
    'credentials:read',
    'policies:read',
  ],
  reviewer: ['runs:read', 'human:read', 'human:write', 'audit:read'],
  viewer: ['runs:read', 'specs:read', 'human:read', 'audit:read'],
} as const satisfies Readonly<Record<string, readonly PlatformScope[]>>;

export type PlatformRole = keyof typeof PLATFORM_ROLES;
