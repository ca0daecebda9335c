import { type RecordingChoice, recordingChoice } from '../../contract/platform/recordings.ts';
import { isJsonObject, type Json } from '../../kernel/json.ts';
import type { PlatformConfig } from '../config.ts';

/** What a run does with the traffic of its models and tools, or why that cannot be read. */
export type ReadChoice =
  | { readonly ok: true; readonly choice: RecordingChoice }
  | { readonly ok: false; readonly message: string };

/**
 * The caller's `metadata.recording` of a run, else the configured choice. A value that is no object
 * with a `mode` is the caller's own business.
 */
export function readRecordingChoice(
  given: Json | undefined,
  config: Pick<PlatformConfig, 'recording'>,
): ReadChoice {
  if (!isJsonObject(given) || given['mode'] === undefined) {
    return { ok: true, choice: config.recording };
  }
  const choice = recordingChoice.safeParse(given);
  if (choice.success) return { ok: true, choice: choice.data };
  return {
    ok: false,
    message:
      "metadata.recording must be {mode: record|replay|off, name}, with a name of letters, digits, '.', '_' and '-'; a replay needs a name.",
  };
}
