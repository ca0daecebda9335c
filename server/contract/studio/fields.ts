import { z } from 'zod';

/** Counts characters, not UTF-16 units (studio.md 16). */
export function characters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** Text of `min` to `max` characters (code points). */
export function boundedText(min: number, max?: number) {
  return z.string().check((context) => {
    const length = characters(context.value);
    if (length < min) {
      context.issues.push({
        code: 'too_small',
        origin: 'string',
        minimum: min,
        inclusive: true,
        input: context.value,
        message: `String should have at least ${min} character${min === 1 ? '' : 's'}`,
      });
    } else if (max !== undefined && length > max) {
      context.issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: max,
        inclusive: true,
        input: context.value,
        message: `String should have at most ${max} characters`,
      });
    }
  });
}

/** Text that can be written as UTF-8 and read back equal: no lone surrogates. */
export const FileText = z.string().check((context) => {
  if (context.value.isWellFormed()) return;
  context.issues.push({
    code: 'custom',
    input: context.value,
    message: 'The text holds half of a character and cannot be written as UTF-8',
    params: { type: 'value_error' },
  });
});

/** A time in the one form of decisions 11. */
export const Timestamp = z.string().meta({ format: 'date-time' });
/** Lowercase hex SHA-256. */
export const Sha256 = z.string();
export const GapId = boundedText(0, 128);

export const Role = z.enum(['owner', 'editor', 'viewer']).meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

export const ProjectParams = z.object({ project_id: z.string() });
export const DraftParams = z.object({ project_id: z.string(), ref: z.string() });
export const ArtifactParams = z.object({ project_id: z.string(), artifact_id: z.string() });
export const AnalysisParams = z.object({ project_id: z.string(), analysis_id: z.string() });
export const TestRunParams = z.object({ project_id: z.string(), test_run_id: z.string() });

/** Identity of a draft: canonical project-relative path and SHA-256 of its bytes. */
export const DraftRef = z
  .strictObject({ path: z.string(), revision: Sha256 })
  .meta({ id: 'DraftRef' });
export type DraftRef = z.infer<typeof DraftRef>;

/** Names the draft being asserted about and the revision that the caller saw. */
export const DraftRefBody = z
  .strictObject({ path: z.string(), revision: z.string() })
  .meta({ id: 'DraftRefBody' });

/** A gap's identity: the pair. A bare gap_id is unique only within one analysis. */
export const GapRef = z
  .strictObject({ analysis_id: z.string(), gap_id: GapId })
  .meta({ id: 'GapRef' });
export type GapRef = z.infer<typeof GapRef>;

/** An object whose members this service does not model. */
export const FreeObject = z.record(z.string(), z.unknown());

/** The envelope of every refusal (studio.md 1.1). */
export const ErrorEnvelope = z
  .strictObject({
    code: z.string(),
    message: z.string(),
    request_id: z.string(),
    details: FreeObject.optional(),
  })
  .meta({ id: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
