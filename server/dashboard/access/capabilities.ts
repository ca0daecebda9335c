/** The closed set of roles, weakest first. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
/** A role. */
export type Role = (typeof ROLES)[number];

/** The closed set of capabilities (contract/dashboard.md 6). */
export const CAPABILITIES = [
  'annotate',
  'audit.read',
  'credentials.read',
  'filter.write',
  'launch',
  'policy.write',
  'run.control',
  'settings.write',
] as const;
/** A capability. */
export type Capability = (typeof CAPABILITIES)[number];

/** Role → its capabilities. */
export type CapabilityMap = Readonly<Record<Role, readonly Capability[]>>;

/** The map that holds until somebody stores another one. */
export const DEFAULT_CAPABILITIES: CapabilityMap = {
  viewer: [],
  operator: ['annotate', 'credentials.read', 'filter.write', 'run.control'],
  admin: [...CAPABILITIES],
};

/** Tells a role name from any other text. */
export function isRole(name: string): name is Role {
  return ROLES.some((role) => role === name);
}

/** Tells a capability name from any other text. */
export function isCapability(name: string): name is Capability {
  return CAPABILITIES.some((capability) => capability === name);
}
