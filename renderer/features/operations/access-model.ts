import { t } from '../../../preload/texts/t.ts';
import { CAPABILITIES } from '../../ui/audit-words.ts';

/** The roles of the dashboard, weakest first (contract/dashboard.md 6). */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export type Lists = Readonly<Record<string, readonly string[]>>;

/** Without it nobody could change this page again. */
export function isLocked(role: Role, capability: string): boolean {
  return role === 'admin' && capability === 'settings.write';
}

/** The map with one capability of one role given or taken. */
export function withCapability(map: Lists, role: Role, capability: string, given: boolean): Lists {
  const rest = (map[role] ?? []).filter((name) => name !== capability);
  return { ...map, [role]: given ? [...rest, capability].sort() : rest };
}

/** What changes from one map to another, a line for each role and capability. */
export function accessChanges(before: Lists, after: Lists): readonly string[] {
  return ROLES.flatMap((role) =>
    CAPABILITIES.flatMap(({ name, label }) => {
      const had = before[role]?.includes(name) ?? false;
      const has = after[role]?.includes(name) ?? false;
      if (had === has) {
        return [];
      }
      return has
        ? [t('{role} gains: {label}', { role, label })]
        : [t('{role} loses: {label}', { role, label })];
    }),
  );
}

/** True when both give every role the same environments; a role that is not named may use all. */
export function isSameLists(left: Lists, right: Lists): boolean {
  const text = (lists: Lists): string =>
    JSON.stringify(
      Object.entries(lists)
        .map(([role, names]) => [role, [...names].sort()])
        .sort(([a], [b]) => String(a).localeCompare(String(b))),
    );
  return text(left) === text(right);
}

/** The grants with other environments of a role; undefined = every environment. */
export function withGrant(
  grants: Lists,
  role: string,
  names: readonly string[] | undefined,
): Lists {
  const { [role]: _gone, ...rest } = grants;
  return names === undefined ? rest : { ...rest, [role]: names };
}
