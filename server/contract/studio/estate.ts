import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams } from './fields.ts';

/** How one workflow makes another one run. */
export const CallKind = z.enum(['step', 'tool', 'error']);
export type CallKind = z.infer<typeof CallKind>;

/**
 * Whether the called workflow is among the files: `itself` for one that calls itself, `computed`
 * where only a run knows which one it is.
 */
export const CallState = z.enum(['found', 'several', 'missing', 'computed', 'itself']);
export type CallState = z.infer<typeof CallState>;

export const EstateCall = z
  .strictObject({
    from: z.string(),
    kind: CallKind,
    /** The element that calls; empty for a setting of the workflow. */
    label: z.string(),
    state: CallState,
    /** Paths of the files that may be meant. */
    to: z.array(z.string()),
    /** What the source calls it. */
    wanted: z.string(),
  })
  .meta({ id: 'EstateCall' });
export type EstateCall = z.infer<typeof EstateCall>;

export const EstateCredential = z
  .strictObject({ key: z.string(), type: z.string(), name: z.string(), files: z.array(z.string()) })
  .meta({ id: 'EstateCredential' });
export type EstateCredential = z.infer<typeof EstateCredential>;

/** What gaps of several files have in common. */
const CauseFields = {
  /** Equal in every file that has this cause. */
  id: z.string(),
  kind: z.string(),
  severity: z.enum(['blocking', 'manual']),
  title: z.string(),
  /** The source's type of element, short; empty where it is not known. */
  subject: z.string(),
};

/** Gaps of one file that have the same cause as far as other files may have it too. */
export const FileCause = z.strictObject({ ...CauseFields, count: z.int() });
export type FileCause = z.infer<typeof FileCause>;

export const EstateCause = z
  .strictObject({
    ...CauseFields,
    files: z.array(z.string()),
    gaps: z.int(),
    /** Files that nothing else blocks: an answer to this cause frees them. */
    frees: z.array(z.string()),
  })
  .meta({ id: 'EstateCause' });
export type EstateCause = z.infer<typeof EstateCause>;

/** What many files have to do with each other; a file is named by its path. */
export const Estate = z.strictObject({
  calls: z.array(EstateCall),
  /** The most files first. */
  credentials: z.array(EstateCredential),
  /** What frees most files first. */
  causes: z.array(EstateCause),
});
export type Estate = z.infer<typeof Estate>;

/** A place of a source that names another workflow. */
export const SourceCall = z.strictObject({
  kind: CallKind,
  /** The element that calls; empty for a setting of the workflow. */
  label: z.string(),
  /** Ids and names that the called workflow may have; none where the name is computed. */
  wanted: z.array(z.string()),
});
export type SourceCall = z.infer<typeof SourceCall>;

/** What a source signs in with, by its name; never a value. */
export const SourceCredential = z.strictObject({
  /** The source's type name, such as `slackApi`. */
  type: z.string(),
  id: z.string().nullable(),
  name: z.string(),
});
export type SourceCredential = z.infer<typeof SourceCredential>;

/** What a source says of the workflows around it. */
export const SourceFacts = z.strictObject({
  id: z.string().nullable(),
  name: z.string().nullable(),
  calls: z.array(SourceCall),
  credentials: z.array(SourceCredential),
});
export type SourceFacts = z.infer<typeof SourceFacts>;

/** A draft of a project that an import made. */
export const EstateDraft = z
  .strictObject({
    ref: z.string(),
    /** Its latest analysis. */
    analysis_id: z.string(),
    /** What the source calls the workflow. */
    workflow: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
    /** Blocking gaps that nobody attested at the draft's last known revision. */
    blocking: z.int(),
    /** False for one that was imported before calls and credentials were remembered. */
    has_facts: z.boolean(),
  })
  .meta({ id: 'EstateDraft' });
export type EstateDraft = z.infer<typeof EstateDraft>;

export const ProjectEstate = Estate.extend({
  drafts: z.array(EstateDraft),
  /** Imported drafts whose analysis cannot be read any more; they are not in the map. */
  unread: z.array(z.string()),
}).meta({ id: 'ProjectEstate' });
export type ProjectEstate = z.infer<typeof ProjectEstate>;

export const getEstate = studioRoute.get('get_estate', {
  path: '/projects/{project_id}/estate',
  summary: 'Who calls whom among the imported drafts, what they share, and what one answer frees',
  params: ProjectParams,
  responses: { 200: ProjectEstate },
  errors: ['exposure_unconfirmed', 'analysis_keys_unavailable'],
  access: 'viewer',
});
