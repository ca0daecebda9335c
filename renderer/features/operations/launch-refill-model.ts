import { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import type {
  LaunchHistoryEntry,
  LaunchSource,
} from '../../../server/contract/dashboard/launch.ts';
import { openObject } from '../../../server/contract/platform/fields.ts';
import type { RunStatusView } from '../../../server/contract/platform/runs.ts';
import { toldReader } from '../../../server/contract/told.ts';
import { isJsonObject, type JsonObject } from '../../../server/kernel/json.ts';
import { emitYaml } from '../../../server/spec/yaml/emit-yaml.ts';
import { listText } from '../../ui/list-text.ts';
import { isRerun } from './launch-history-model.ts';
import { EMPTY_FORM, type LaunchForm, type StudioText } from './launch-model.ts';
import { NO_OPTIONS, type OptionFields } from './launch-options-model.ts';

/** What is known of a launch that is filled in again. */
export interface Launched {
  /** Its row of the history; undefined for a run that is in none. */
  readonly entry: LaunchHistoryEntry | undefined;
  readonly run: Pick<RunStatusView, 'input_text' | 'session_id' | 'metadata'> | undefined;
  /** Why its run is not known, where it is not: it made none, or it is gone, or was not read. */
  readonly lost: 'none' | 'gone' | 'unread';
  /** True in a window that reads drafts and artifacts. */
  readonly hasStudio: boolean;
}

/** What the platform puts where a secret was. */
const MASK = '[REDACTED';
/** Members of a run's metadata that say how it was tried out, or where it comes from. */
const NOT_AGAIN: ReadonlySet<string> = new Set(['authoring', 'rehearsal', 'recording']);

const text = z.string();
const readMetadata = toldReader(
  z.object({
    environment: text,
    spec_path: text,
    overlays: z.array(text),
    overrides: openObject,
    skills_overlay: z.object({ add: z.array(text), disable: z.array(text) }),
    timeout_seconds: z.number(),
    frozen_spec: z.object({ base: openObject }),
    caller_metadata: openObject,
    rerun_of: z.object({ run_id: text }),
  }),
);
const readOwn = toldReader(
  z.object({
    authoring: z.object({ project_id: text, draft: text, artifact_id: text }),
    rehearsal: openObject,
    recording: openObject,
  }),
);

function toldOf({ run }: Launched) {
  const metadata = readMetadata(run?.metadata ?? {});
  const caller = metadata.caller_metadata ?? {};
  return { metadata, caller, own: readOwn(caller) };
}

/** Why a launch cannot be filled in again; undefined where it can. */
export function refillHindrance(entry: LaunchHistoryEntry, hasStudio: boolean): string | undefined {
  if (isRerun(entry)) {
    return t('It began at a checkpoint. Run it again from the page of its run.');
  }
  return entry.source !== undefined && entry.run_id === null && !hasStudio
    ? t('Its spec stands in a studio, and this window has none.')
    : undefined;
}

type SourceFields = Pick<LaunchForm, 'kind'> & Partial<LaunchForm>;

/** The draft or artifact that it was launched from, as the history says, else as the run does. */
function studioSource(launched: Launched): SourceFields | undefined {
  const { entry, hasStudio } = launched;
  if (!hasStudio) {
    return undefined;
  }
  const source = entry?.source;
  if (source !== undefined) {
    return source.kind === 'draft'
      ? { kind: 'draft', project: source.project_id, draft: source.ref }
      : { kind: 'artifact', project: source.project_id, artifact: source.artifact_id };
  }
  const {
    project_id: project,
    draft,
    artifact_id: artifact,
  } = toldOf(launched).own.authoring ?? {};
  if (project && artifact) {
    return { kind: 'artifact', project, artifact };
  }
  return project && draft ? { kind: 'draft', project, draft } : undefined;
}

function yamlOf(value: unknown): string {
  return isJsonObject(value) && Object.keys(value).length > 0 ? emitYaml(value) : '';
}

function sourceFields(launched: Launched): SourceFields {
  const { metadata } = toldOf(launched);
  const path = launched.entry?.spec_path ?? metadata.spec_path;
  return (
    studioSource(launched) ??
    (path ? { kind: 'path', path } : { kind: 'text', text: yamlOf(metadata.frozen_spec?.base) })
  );
}

/** What the caller gave along that is given along again. */
function metadataAgain(caller: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.fromEntries(Object.entries(caller).filter(([name]) => !NOT_AGAIN.has(name)));
  return isJsonObject(kept) ? kept : {};
}

/** Options as the run has them. That it was not strict, and its session, the history tells best. */
function optionFields(launched: Launched): OptionFields {
  const { entry, run } = launched;
  const { metadata, caller, own } = toldOf(launched);
  const kept = entry?.options ?? {};
  const timeout = kept.timeout ?? metadata.timeout_seconds;
  // The session of a run that the studio made is that run's alone.
  const own_session = entry === undefined && own.authoring == null ? run?.session_id : undefined;
  return {
    ...NO_OPTIONS,
    overlays: (kept.overlays ?? metadata.overlays ?? []).join('\n'),
    overrides: yamlOf(metadata.overrides),
    addSkills: kept.skills?.add ?? metadata.skills_overlay?.add ?? [],
    disableSkills: kept.skills?.disable ?? metadata.skills_overlay?.disable ?? [],
    session: kept.session_id ?? own_session ?? '',
    strict: kept.strict ?? true,
    timeout: timeout === undefined || timeout === null ? '' : String(timeout),
    metadata: yamlOf(metadataAgain(caller)),
  };
}

/** The form as it stood when this was launched, with the input that it ran with, as far as known. */
export function refilledForm(launched: Launched): LaunchForm {
  const { entry, run } = launched;
  return {
    ...EMPTY_FORM,
    ...sourceFields(launched),
    environment: entry?.environment ?? toldOf(launched).metadata.environment ?? '',
    options: optionFields(launched),
    input: run?.input_text ?? '',
  };
}

/** What a form lacks that was filled in again, or has otherwise than `then`, as it was filled in. */
export function refillNotes(
  launched: Launched,
  then: LaunchForm,
  form: LaunchForm,
  now: { readonly studio: StudioText | undefined; readonly environment: string },
): readonly string[] {
  return [
    ...inputNotes(launched),
    ...sourceNotes(launched, then, now.studio),
    ...optionNotes(launched),
    ...(JSON.stringify([form.text, form.input, form.options]).includes(MASK)
      ? [t('Where [REDACTED] stands, the platform masked a secret. Type what it needs.')]
      : []),
    ...(then.environment === now.environment
      ? []
      : [
          t('It ran in {environment}; this runs in {environment2}.', {
            environment: then.environment || t('no environment'),
            environment2: now.environment || t('no environment'),
          }),
        ]),
  ];
}

const WITHOUT_INPUT: Readonly<Record<Launched['lost'], string>> = {
  none: t('It is not known which run it made, so its input is not known. Type the input again.'),
  gone: t('Its run is not on this platform any more, and the input with it. Type the input again.'),
  unread: t('Its run was not read, so its input is not known. Type the input again.'),
};

function inputNotes({ run, lost }: Launched): readonly string[] {
  return [
    run === undefined
      ? WITHOUT_INPUT[lost]
      : t('Filled in as it ran then, with its input, which is shown once the check is green.'),
  ];
}

function sourceNotes(
  launched: Launched,
  { kind, text: frozen }: LaunchForm,
  studio: StudioText | undefined,
): readonly string[] {
  const source = launched.entry?.source;
  if (kind === 'text') {
    if (frozen === '') {
      return [t('The text of a pasted spec is not kept. Paste it again.')];
    }
    return source === undefined && toldOf(launched).own.authoring == null
      ? [t('The spec is the one that its run kept, written anew: without comments.')]
      : [
          t(
            'Its spec stands in a studio, and this window has none. This is what its run kept of it; functions of its project are not found.',
          ),
        ];
  }
  return hasChanged(source, studio)
    ? [t('The draft has changed since that launch. What it says now is what runs.')]
    : [];
}

function optionNotes(launched: Launched): readonly string[] {
  const { metadata, own } = toldOf(launched);
  const missing = launched.run === undefined ? (launched.entry?.options?.not_kept ?? []) : [];
  return [
    ...(missing.length === 0
      ? []
      : [
          t('It was launched with {missing}, which are not kept. Type them again.', {
            missing: listText(missing),
          }),
        ]),
    ...(own.rehearsal == null && own.recording == null
      ? []
      : [
          t('It was a rehearsal or recorded. This one asks models and tools, and records nothing.'),
        ]),
    ...(metadata.rerun_of?.run_id
      ? [t('That run began at a checkpoint of another one. This one begins at the start.')]
      : []),
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
