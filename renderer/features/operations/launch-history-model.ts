import { t } from '../../../preload/texts/t.ts';
import type { LaunchHistoryEntry } from '../../../server/contract/dashboard/launch.ts';
import { draftTitle } from '../../data/draft-names.ts';

/** Launches of one spec, newest first. */
export interface LaunchGroup {
  readonly key: string;
  readonly title: string;
  /** What the spec is: of which kind, and from where. */
  readonly from: string;
  readonly newest: LaunchHistoryEntry;
  readonly earlier: readonly LaunchHistoryEntry[];
}

/** True for a run that began at a checkpoint of another one. */
export function isRerun({ digest, source, mode }: LaunchHistoryEntry): boolean {
  return mode === 'inline' && digest === null && source === undefined;
}

function keyOf(entry: LaunchHistoryEntry): string {
  const { source, spec_path } = entry;
  if (source !== undefined) {
    const ref = source.kind === 'draft' ? source.ref : source.draft_ref;
    return `${source.kind} ${source.project_id} ${ref}`;
  }
  if (isRerun(entry)) {
    return 'rerun';
  }
  return spec_path === null ? `text ${entry.label}` : `path ${spec_path}`;
}

function titleOf(entry: LaunchHistoryEntry): string {
  const { source } = entry;
  if (source !== undefined) {
    return draftTitle(source.kind === 'draft' ? source.ref : source.draft_ref);
  }
  return isRerun(entry) ? t('Runs that began at a checkpoint') : entry.label;
}

function fromOf(entry: LaunchHistoryEntry): string {
  const { source, spec_path } = entry;
  if (source !== undefined) {
    return t('{kind} of project {project_id}', {
      kind: source.kind,
      project_id: source.project_id,
    });
  }
  if (isRerun(entry)) {
    return t('another run');
  }
  return spec_path === null ? t('pasted text') : t('file of the platform');
}

/** Launches by their spec, the spec that was launched last first. */
export function groupsOf(entries: readonly LaunchHistoryEntry[]): readonly LaunchGroup[] {
  const groups = new Map<string, LaunchGroup>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = groups.get(key);
    groups.set(
      key,
      known === undefined
        ? { key, title: titleOf(entry), from: fromOf(entry), newest: entry, earlier: [] }
        : { ...known, earlier: [...known.earlier, entry] },
    );
  }
  return [...groups.values()];
}
