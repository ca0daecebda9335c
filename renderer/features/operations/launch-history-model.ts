import type {
  LaunchHistoryEntry,
  LaunchOptions,
  LaunchSource,
} from '../../../server/contract/dashboard/launch.ts';
import { draftTitle } from '../../data/draft-names.ts';
import { EMPTY_FORM, type LaunchForm, type StudioText } from './launch-model.ts';
import { NO_OPTIONS, type OptionFields } from './launch-options-model.ts';

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
function isRerun({ digest, source, mode }: LaunchHistoryEntry): boolean {
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
  return isRerun(entry) ? 'Runs that began at a checkpoint' : entry.label;
}

function fromOf(entry: LaunchHistoryEntry): string {
  const { source, spec_path } = entry;
  if (source !== undefined) {
    return `${source.kind} of project ${source.project_id}`;
  }
  if (isRerun(entry)) {
    return 'another run';
  }
  return spec_path === null ? 'pasted text' : 'file of the platform';
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

/** Why a launch cannot be filled in again; undefined where it can. */
export function refillHindrance(entry: LaunchHistoryEntry, hasStudio: boolean): string | undefined {
  if (isRerun(entry)) {
    return 'It began at a checkpoint. Run it again from the page of its run.';
  }
  return entry.source !== undefined && !hasStudio
    ? 'Its spec stands in a studio, and this window has none.'
    : undefined;
}

function optionFields({
  overlays = [],
  skills = { add: [], disable: [] },
  session_id = '',
  strict = true,
  timeout,
}: LaunchOptions): OptionFields {
  return {
    ...NO_OPTIONS,
    overlays: overlays.join('\n'),
    addSkills: skills.add,
    disableSkills: skills.disable,
    session: session_id,
    strict,
    timeout: timeout === undefined ? '' : String(timeout),
  };
}

function sourceFields({ source, spec_path }: LaunchHistoryEntry): Partial<LaunchForm> {
  if (source?.kind === 'draft') {
    return { kind: 'draft', project: source.project_id, draft: source.ref };
  }
  if (source?.kind === 'artifact') {
    return { kind: 'artifact', project: source.project_id, artifact: source.artifact_id };
  }
  return spec_path === null ? { kind: 'text' } : { kind: 'path', path: spec_path };
}

/** The form as it stood when this was launched, as far as that is kept. */
export function formOf(entry: LaunchHistoryEntry): LaunchForm {
  return {
    ...EMPTY_FORM,
    ...sourceFields(entry),
    environment: entry.environment ?? '',
    options: optionFields(entry.options ?? {}),
  };
}

/** What a form that was filled in again lacks, or has otherwise than then. */
export function refillNotes(
  entry: LaunchHistoryEntry,
  now: { readonly studio: StudioText | undefined; readonly environment: string },
): readonly string[] {
  const { source, spec_path, options, environment } = entry;
  const missing = options?.not_kept ?? [];
  return [
    ...(source === undefined && spec_path === null
      ? ['The text of a pasted spec is not kept. Paste it again.']
      : []),
    ...(hasChanged(source, now.studio)
      ? ['The draft has changed since that launch. What it says now is what runs.']
      : []),
    ...(missing.length === 0
      ? []
      : [`It was launched with ${missing.join(' and ')}, which are not kept. Type them again.`]),
    ...((environment ?? '') === now.environment
      ? []
      : [
          `It ran in ${environment ?? 'no environment'}; this runs in ${now.environment || 'none'}.`,
        ]),
  ];
}

function hasChanged(then: LaunchSource | undefined, now: StudioText | undefined): boolean {
  return (
    then?.kind === 'draft' &&
    now?.source.kind === 'draft' &&
    now.source.ref === then.ref &&
    now.source.revision !== then.revision
  );
}
