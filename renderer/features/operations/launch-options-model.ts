import { t } from '../../../preload/texts/t.ts';
import type { LaunchRunInput } from '../../../server/contract/dashboard/launch.ts';
import type { JsonObject } from '../../../server/kernel/json.ts';
import { specInText } from '../../data/spec-text.ts';

/** The options of a launch as somebody types them. */
export interface OptionFields {
  /** Paths of the platform, one a line. */
  readonly overlays: string;
  /** YAML or JSON. */
  readonly overrides: string;
  /** Seconds. */
  readonly timeout: string;
  readonly strict: boolean;
  readonly addSkills: readonly string[];
  readonly disableSkills: readonly string[];
  readonly session: string;
  /** YAML or JSON. */
  readonly metadata: string;
}

export const NO_OPTIONS: OptionFields = {
  overlays: '',
  overrides: '',
  timeout: '',
  strict: true,
  addSkills: [],
  disableSkills: [],
  session: '',
  metadata: '',
};

/** Options as they are sent, or what is wrong with which of them. */
export type ReadOptions =
  | {
      readonly layers: Pick<LaunchRunInput, 'overlays' | 'overrides'>;
      readonly run: Pick<
        LaunchRunInput,
        'skills' | 'session_id' | 'metadata' | 'strict' | 'timeout'
      >;
    }
  | { readonly problems: Readonly<Partial<Record<keyof OptionFields, string>>> };

type Read<T> = { readonly value: T | undefined } | { readonly problem: string };

function objectIn(text: string): Read<JsonObject> {
  const read = specInText(text);
  if ('spec' in read) {
    return { value: read.spec };
  }
  return read.problem === undefined ? { value: undefined } : { problem: read.problem };
}

function metadataIn(text: string): Read<JsonObject> {
  const read = objectIn(text);
  return 'value' in read && read.value !== undefined && Object.hasOwn(read.value, 'authoring')
    ? { problem: t('Leave "authoring" out: it is written from the source.') }
    : read;
}

function secondsIn(text: string): Read<number> {
  if (text.trim() === '') {
    return { value: undefined };
  }
  const value = Number(text);
  return Number.isFinite(value) && value > 0
    ? { value }
    : { problem: t('Type a number of seconds above 0.') };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Reads the options; those that stand as they were are not sent. */
export function readOptions(fields: OptionFields): ReadOptions {
  const overrides = objectIn(fields.overrides);
  const metadata = metadataIn(fields.metadata);
  const timeout = secondsIn(fields.timeout);
  if ('problem' in overrides || 'problem' in metadata || 'problem' in timeout) {
    return {
      problems: {
        ...('problem' in overrides ? { overrides: overrides.problem } : {}),
        ...('problem' in metadata ? { metadata: metadata.problem } : {}),
        ...('problem' in timeout ? { timeout: timeout.problem } : {}),
      },
    };
  }
  const overlays = linesOf(fields.overlays);
  const session_id = fields.session.trim();
  const [add, disable] = [[...fields.addSkills], [...fields.disableSkills]];
  return {
    layers: {
      ...(overlays.length === 0 ? {} : { overlays }),
      ...(overrides.value === undefined ? {} : { overrides: overrides.value }),
    },
    run: {
      ...(add.length + disable.length === 0 ? {} : { skills: { add, disable } }),
      ...(session_id === '' ? {} : { session_id }),
      ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
      ...(fields.strict ? {} : { strict: false }),
      ...(timeout.value === undefined ? {} : { timeout: timeout.value }),
    },
  };
}

/** Which options are not as they were, in words: what a closed part of the form holds. */
export function optionsLine(fields: OptionFields): string {
  const named = [
    [fields.overlays.trim() !== '', t('overlays')],
    [fields.overrides.trim() !== '', t('overrides')],
    [fields.timeout.trim() !== '', t('timeout {timeout} s', { timeout: fields.timeout.trim() })],
    [!fields.strict, t('not strict')],
    [fields.addSkills.length + fields.disableSkills.length > 0, t('skills')],
    [fields.session.trim() !== '', t('session {session}', { session: fields.session.trim() })],
    [fields.metadata.trim() !== '', t('metadata')],
  ] as const;
  return named.flatMap(([isSet, name]) => (isSet ? [name] : [])).join(', ');
}
