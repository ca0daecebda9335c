import type { RecordingEntry } from '../../contract/platform/recordings.ts';
import { isObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { type RecordedEffect, recordedRequest } from './recorded-request.ts';
import { recordingFailure } from './recording-file.ts';

/** Looks recorded calls up. */
export interface Replay {
  /**
   * The recorded call with the same request, each one once: that of the same place in the run, else
   * the first that is left.
   * @throws EffectFailure `recording_miss` that names what differs
   */
  take(effect: RecordedEffect): RecordingEntry;
}

/** The members of two lists or of two objects, side by side; undefined for anything else. */
function members(a: unknown, b: unknown): [string, unknown, unknown][] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, at) => [`[${at}]`, a[at], b[at]]);
  }
  if (!isObject(a) || !isObject(b)) return undefined;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.map((key) => [`.${key}`, a[key], b[key]]);
}

/** Paths at which a recorded value and the present one differ; the values are not shown. */
function differences(recorded: unknown, asked: unknown, path: string): string[] {
  if (sameJson(recorded ?? null, asked ?? null)) return [];
  const pairs = members(recorded, asked);
  if (pairs !== undefined) return pairs.flatMap(([name, a, b]) => differences(a, b, path + name));
  const shown = path.replace(/^\./, '');
  if (recorded === undefined) return [`${shown} (not recorded)`];
  return [asked === undefined ? `${shown} (not asked now)` : shown];
}

const MOST_SHOWN = 5;

function describe(effect: RecordedEffect): string {
  if (effect.kind === 'call_model') return `call ${effect.iteration} of the model`;
  return `the call of tool '${effect.tool}'`;
}

function missText(
  name: string,
  effect: RecordedEffect,
  nearest: RecordingEntry | undefined,
): string {
  const who = `${describe(effect)} by agent '${effect.agent_name}'`;
  if (nearest === undefined) {
    return `recording '${name}' holds no further call like ${who}. Record the run again.`;
  }
  const { request } = recordedRequest(effect);
  const found = differences(nearest.request, request, '').slice(0, MOST_SHOWN);
  const places = found.join(', ');
  return `recording '${name}' holds no answer for ${who}: compared with the nearest recorded call it differs in ${places}. Record the run again, or undo the change.`;
}

/** Prepares the replay of a recording. */
export function createReplay(name: string, entries: readonly RecordingEntry[]): Replay {
  const left = [...entries];
  let firstMiss: string | undefined;
  const nearestTo = (effect: RecordedEffect): RecordingEntry | undefined => {
    const alike = left.filter(({ request }) => request['kind'] === effect.kind);
    const samePlace = alike.find(({ effect_id }) => effect_id === effect.id);
    const sameAgent = alike.find(({ request }) => request['agent_name'] === effect.agent_name);
    return samePlace ?? sameAgent ?? alike[0];
  };
  return {
    take(effect) {
      const { fingerprint } = recordedRequest(effect);
      const same = left.filter((entry) => entry.fingerprint === fingerprint);
      const entry = same.find(({ effect_id }) => effect_id === effect.id) ?? same[0];
      if (entry === undefined) {
        // A tool's miss reaches the model as an error of the tool; the run then fails on what follows.
        firstMiss ??= missText(name, effect, nearestTo(effect));
        throw recordingFailure('recording_miss', firstMiss);
      }
      left.splice(left.indexOf(entry), 1);
      return entry;
    },
  };
}
