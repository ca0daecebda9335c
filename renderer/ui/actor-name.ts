import { t } from '../../preload/texts/t.ts';

/** What services call those who come without a name of their own. */

const NAMELESS: Readonly<Record<string, string>> = {
  anonymous: t('a person without a name'),
  embedded: t('this computer'),
  // Where a dashboard asks nobody to sign in, everybody is the same operator.
  'static-operator': t('the operator'),
};

/** Who did something, in words. */
export function actorName(actor: string | null): string {
  return NAMELESS[actor ?? 'anonymous'] ?? actor ?? '';
}

/** Who did what a platform tells of: the operator where this dashboard knows one, else the platform's word. */
export function doerName(event: {
  readonly operator: string | null;
  readonly actor: string | null;
}): string {
  return actorName(event.operator ?? event.actor);
}
