import {
  type RecordingChoice,
  recordingName,
} from '../../../server/contract/platform/recordings.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';

/** What is chosen in the form: the name counts for recording and replay. */
export interface RecordingDraft {
  readonly mode: RecordingChoice['mode'];
  readonly name: string;
}

const MOST_NAMES = 50;
const keyOf = (projectId: string): string => `recordings:${projectId}`;

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => recordingName.safeParse(name).success);
}

/** A choice that records nothing, with a name from the file of the spec. */
export function newRecording(path: string): RecordingDraft {
  const stem = (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  const name = stem.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return { mode: 'off', name: name.slice(0, 100) || 'recording' };
}

/** True for a choice that the platform can take. */
export function isReady({ mode, name }: RecordingDraft): boolean {
  return mode === 'off' || recordingName.safeParse(name.trim()).success;
}

/** The choice as it is sent; undefined leaves it to the platform's settings. */
export function choiceOf({ mode, name }: RecordingDraft): RecordingChoice | undefined {
  return mode === 'off' ? undefined : { mode, name: name.trim() };
}

/** Names that were recorded from this window, the latest first. */
export function knownRecordings(projectId: string): readonly string[] {
  return readJson(keyOf(projectId), isNames, []);
}

/** Keeps the name of a recording, to be offered for replays. */
export function rememberRecording(projectId: string, { mode, name }: RecordingDraft): void {
  if (mode === 'record') {
    const rest = knownRecordings(projectId).filter((known) => known !== name.trim());
    writeJson(keyOf(projectId), [name.trim(), ...rest].slice(0, MOST_NAMES));
  }
}
