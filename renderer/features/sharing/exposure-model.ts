import { t } from '../../../preload/texts/t.ts';
import type {
  ExposureConfirmation,
  ExposurePreflight,
  ExposureStatus,
} from '../../../server/contract/studio/exposure.ts';

/** What a status means for the people of a project. */
export const STATUS_WORDS: Readonly<
  Record<ExposureStatus, { readonly title: string; readonly text: string }>
> = {
  unconfirmed: {
    title: t('Not confirmed yet'),
    text: t(
      'You can work alone as it is. Before somebody else is let in, an owner looks at this list and confirms it.',
    ),
  },
  confirmed: {
    title: t('Confirmed'),
    text: t('The project exposes what an owner confirmed.'),
  },
  manifest_changed: {
    title: t('Changed since it was confirmed'),
    text: t(
      'Work goes on. Nobody new comes in, and invitations wait, until an owner confirms the list as it is now.',
    ),
  },
  root_changed: {
    title: t('This is another folder than the confirmed one'),
    text: t(
      'It was replaced, moved, or restored from a copy. So that nothing strange is read or written, every file of the project is shut until an owner confirms what stands here now.',
    ),
  },
};

/** One file of the list. */
export interface ExposedFile {
  readonly ref: string;
  readonly kind: string;
  /** False for what the studio itself made: it is no part of the confirmation. */
  readonly privileged: boolean;
  readonly change: 'new' | 'gone' | undefined;
  /** No file of this name stands in the folder. */
  readonly missing: boolean;
}

/** What is new and gone, when both answers are about the same moment. */
function changesOf(
  preflight: ExposurePreflight,
  confirmation: ExposureConfirmation | null | undefined,
): { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined {
  if (confirmation?.exposure_digest !== preflight.exposure_digest) {
    return undefined;
  }
  const { added, removed } = confirmation;
  return added === null || removed === null ? undefined : { added, removed };
}

/** The list as it is shown: what is new, missing and gone first, then by name. */
export function exposedFiles(
  preflight: ExposurePreflight,
  confirmation: ExposureConfirmation | null | undefined,
): ExposedFile[] {
  const { added = [], removed = [] } = changesOf(preflight, confirmation) ?? {};
  const fresh = new Set(added);
  const missing = new Set(confirmation?.missing);
  const gone = removed.map((ref) => ({
    ref,
    kind: '',
    privileged: true,
    change: 'gone' as const,
    missing: false,
  }));
  const here = preflight.manifest.map((entry) => ({
    ...entry,
    change: fresh.has(entry.ref) ? ('new' as const) : undefined,
    missing: missing.has(entry.ref),
  }));
  const isTold = ({ change, missing: isMissing }: ExposedFile) => change !== undefined || isMissing;
  return [...here.filter(isTold), ...gone, ...here.filter((file) => !isTold(file))];
}

/** What happened since the last confirmation, in a sentence. */
export function changeText(
  preflight: ExposurePreflight,
  confirmation: ExposureConfirmation | null | undefined,
): string | undefined {
  if (confirmation === null || confirmation === undefined) {
    return undefined;
  }
  const changes = changesOf(preflight, confirmation);
  if (changes === undefined) {
    return t('Which files were confirmed then is not known here: look at the whole list.');
  }
  const { added, removed } = changes;
  if (added.length === 0 && removed.length === 0) {
    return preflight.status === 'root_changed'
      ? t('The list is the same as then; what the files hold may not be.')
      : t('No file is new or gone since.');
  }
  const parts = [
    ...(added.length > 0
      ? [t('{count, plural, one {# file} other {# files}} new', { count: added.length })]
      : []),
    ...(removed.length > 0
      ? [t('{count, plural, one {# file} other {# files}} gone', { count: removed.length })]
      : []),
  ];
  return t('Since then: {parts}.', { parts: parts.join(', ') });
}

/** Which files the folder does not have, in a sentence; undefined when it has them all. */
export function missingText(
  confirmation: Pick<ExposureConfirmation, 'missing'> | null | undefined,
): string | undefined {
  const missing = confirmation?.missing ?? [];
  const named = missing.slice(0, 3).join(', ');
  const rest = missing.length > 3 ? t(' and {count} more', { count: missing.length - 3 }) : '';
  return missing.length === 0
    ? undefined
    : t(
        'Not in this folder: {named}{rest}. Put them back, or remove them from the list in the sidebar.',
        { named, rest },
      );
}
