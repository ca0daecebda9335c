import { t } from '../../../preload/texts/t.ts';
import type { ProjectLimits } from '../../../server/contract/studio/projects.ts';
import type { AuthMode } from '../../../server/contract/studio/session.ts';

export const ROLES = [
  { value: 'owner', label: t('Owner'), about: t('everything, and decides who is in') },
  { value: 'editor', label: t('Editor'), about: t('writes, imports, runs and exports') },
  { value: 'viewer', label: t('Viewer'), about: t('reads, checks and exports') },
] as const;

/** A way to name somebody who is invited. */
export interface SelectorKind {
  readonly kind: string;
  readonly label: string;
  readonly hint: string;
  /** Why nobody can be invited so here; undefined where it works. */
  readonly shut: string | undefined;
}

/** The ways to name whom an invitation is for, and which of them can work where people sign in so. */
export function selectorKinds(mode: AuthMode): readonly SelectorKind[] {
  const noProvider =
    mode === 'oidc' ? undefined : t('nobody signs in at an identity provider here');
  const noNames =
    mode === 'static' ? undefined : t('nobody signs in with a name and password here');
  return [
    {
      kind: 'verified_email',
      label: t('E-mail address'),
      hint: t('As the identity provider knows and has verified it.'),
      shut: noProvider,
    },
    {
      kind: 'subject',
      label: t('Id at the identity provider'),
      hint: t('The provider’s own id of the person (“sub”), letter for letter.'),
      shut: noProvider,
    },
    {
      kind: 'static_username',
      label: t('User name'),
      hint: t('The name that the person signs in with here.'),
      shut: noNames,
    },
  ];
}

/** How an invitation names its person. */
export function selectorLabel(kind: string): string {
  return selectorKinds('none').find((one) => one.kind === kind)?.label ?? kind;
}

/** How full a project is, in plain words, the nearest limit first. */
export function limitLines(limits: ProjectLimits): readonly {
  readonly name: string;
  readonly text: string;
  readonly used: number;
  readonly cap: number;
}[] {
  const of = (used: number, cap: number): string =>
    t('{used, number} of {cap, number}', { used, cap });
  const lines = [
    {
      name: t('Imports in use'),
      text: of(limits.taint_used, limits.taint_cap),
      used: limits.taint_used,
      cap: limits.taint_cap,
    },
    {
      name: t('Imports of the same draft'),
      text: of(limits.principal_taint_used, limits.principal_taint_cap),
      used: limits.principal_taint_used,
      cap: limits.principal_taint_cap,
    },
    {
      name: t('Imports kept, old ones included'),
      text: of(limits.retained_used, limits.retained_max),
      used: limits.retained_used,
      cap: limits.retained_max,
    },
  ];
  return lines.sort((a, b) => b.used / b.cap - a.used / a.cap);
}
