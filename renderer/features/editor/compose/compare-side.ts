import { locale } from '../../../../preload/texts/language.ts';
import { t } from '../../../../preload/texts/t.ts';
import {
  type AuthoredArtifact,
  NO_OVERRIDES,
} from '../../../../server/contract/studio/artifact-view.ts';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import { fileName } from '../../../data/draft-names.ts';

/**
 * A side of a comparison: an artifact; a draft as it is now; or the draft of an artifact as it is
 * now, under the artifact's overlays and overrides.
 */
export type CompareSide =
  | { readonly kind: 'artifact'; readonly id: string }
  | { readonly kind: 'next'; readonly id: string }
  | { readonly kind: 'draft'; readonly ref: string };

/** A side as it stands in an address. */
export function sideText(side: CompareSide): string {
  return side.kind === 'draft' ? `draft:${side.ref}` : `${side.kind}:${side.id}`;
}

/** Reads a side from an address; undefined for what names none. */
export function readSide(text: string | undefined): CompareSide | undefined {
  const [, kind, rest] = /^(artifact|next|draft):(.+)$/s.exec(text ?? '') ?? [];
  if (rest === undefined) return undefined;
  if (kind === 'draft') return { kind, ref: rest };
  return kind === 'artifact' || kind === 'next' ? { kind, id: rest } : undefined;
}

/** A side that can be chosen, with its words. */
interface SideChoice {
  readonly value: string;
  readonly label: string;
}

/** The versions of each draft, newest first, and the draft as it is now. */
export interface SideGroup {
  readonly group: string;
  readonly items: SideChoice[];
}

function versionText(artifact: AuthoredArtifact): string {
  const at = new Date(artifact.created_at).toLocaleString(locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return t('{file}, version of {at}, {revision}', {
    file: fileName(artifact.base.path),
    at,
    revision: artifact.revision.slice(0, 8),
  });
}

/** True for an artifact of more than its base. */
function isLayered(artifact: Pick<AuthoredArtifact, 'overlays' | 'overrides_sha256'>) {
  return artifact.overlays.length > 0 || artifact.overrides_sha256 !== NO_OVERRIDES;
}

/** What a side may be, by draft. */
export function sideGroups(
  artifacts: readonly AuthoredArtifact[],
  drafts: readonly DraftSummary[],
): SideGroup[] {
  const specs = drafts.filter(({ kind }) => kind === 'spec').map(({ ref }) => ref);
  const refs = [...new Set([...artifacts.map(({ base }) => base.path), ...specs])];
  return refs.map((ref) => {
    const own = artifacts.filter(({ base }) => base.path === ref);
    const items = own.map((one) => ({
      value: sideText({ kind: 'artifact', id: one.id }),
      label: versionText(one),
    }));
    if (specs.includes(ref)) {
      items.push({
        value: sideText({ kind: 'draft', ref }),
        label: t('{file} as it is now', { file: fileName(ref) }),
      });
      for (const one of own.filter(isLayered)) {
        items.push({
          value: sideText({ kind: 'next', id: one.id }),
          label: t('{file} as it is now, with the layers of {revision}', {
            file: fileName(ref),
            revision: one.revision.slice(0, 8),
          }),
        });
      }
    }
    return { group: ref, items };
  });
}
