import { t } from '../../../preload/texts/t.ts';
import type {
  LaunchRunInput,
  LaunchSource,
  LaunchSpecInput,
  LaunchVerdict,
} from '../../../server/contract/dashboard/launch.ts';
import { parseWholeText } from '../../../server/spec/yaml/parse-yaml.ts';
import { specInText } from '../../data/spec-text.ts';
import { NO_OPTIONS, type OptionFields, readOptions } from './launch-options-model.ts';

/** Where a spec comes from: the studio, what somebody pastes or opens, or a file of the platform. */
export type SourceKind = 'draft' | 'artifact' | 'text' | 'path';

/** What stands in the form of a launch. */
export interface LaunchForm {
  readonly kind: SourceKind;
  readonly text: string;
  readonly path: string;
  /** Of the draft or artifact. */
  readonly project: string;
  /** The draft's ref. */
  readonly draft: string;
  /** The artifact's id. */
  readonly artifact: string;
  /** As typed; counts where the window shows no environment. */
  readonly environment: string;
  readonly options: OptionFields;
  /** What the run is given; asked for once the check is green. */
  readonly input: string;
}

export const EMPTY_FORM: LaunchForm = {
  kind: 'text',
  text: '',
  path: '',
  project: '',
  draft: '',
  artifact: '',
  environment: '',
  options: NO_OPTIONS,
  input: '',
};

/** A spec that was read from the studio. */
export interface StudioText {
  readonly text: string;
  readonly source: LaunchSource;
}

/** What is checked, and what is added when it runs. */
export interface LaunchBody {
  readonly check: Omit<LaunchSpecInput, 'spec' | 'spec_path' | 'environment'> & {
    readonly spec?: NonNullable<LaunchSpecInput['spec']>;
    readonly spec_path?: string;
    readonly environment?: string;
  };
  readonly run: Pick<LaunchRunInput, 'skills' | 'session_id' | 'metadata' | 'strict' | 'timeout'>;
}

/** What a launch sends, or why there is nothing yet; `undefined` says nothing at all. */
export type ReadForm = { readonly body: LaunchBody } | { readonly problem: string | undefined };

type Spec = Pick<LaunchBody['check'], 'spec' | 'spec_path' | 'source'>;

function readSpec(
  form: LaunchForm,
  studio: StudioText | undefined,
): { readonly spec: Spec } | { readonly problem: string | undefined } {
  if (form.kind === 'path') {
    const spec_path = form.path.trim();
    return spec_path === '' ? { problem: undefined } : { spec: { spec_path } };
  }
  if (form.kind === 'text') {
    const read = specInText(form.text);
    return 'spec' in read ? { spec: read } : read;
  }
  if (studio === undefined) {
    return { problem: undefined };
  }
  const read = specInText(studio.text);
  return 'spec' in read ? { spec: { ...read, source: studio.source } } : read;
}

/** Reads the form: the spec as YAML or JSON, the options as they are typed. */
export function readForm(
  form: LaunchForm,
  environment: string,
  studio: StudioText | undefined,
): ReadForm {
  const read = readSpec(form, studio);
  if ('problem' in read) {
    return read;
  }
  const options = readOptions(form.options);
  if ('problems' in options) {
    return { problem: undefined };
  }
  const named = environment === '' ? {} : { environment };
  return { body: { check: { ...read.spec, ...named, ...options.layers }, run: options.run } };
}

/** The three questions that a deploy answers, in words. */
export function pills(verdict: LaunchVerdict) {
  return [
    { id: 'valid', ok: verdict.valid, yes: t('Valid'), no: t('Not valid') },
    { id: 'compiled', ok: verdict.compiled, yes: t('Compiles'), no: t('Does not compile') },
    { id: 'policy', ok: verdict.policy_ok, yes: t('Policy allows it'), no: t('Policy blocks it') },
  ] as const;
}

/** The facts of a summary that have one value, in the order in which they are told. */
export function summaryFacts(
  summary: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(summary).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
      ? [[name.replaceAll('_', ' '), String(value)] as const]
      : [],
  );
}

/** A place of a document in its text: the line, counted from 1, and where its letters stand. */
export interface TextPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds places of a spec in its text; a place that the text does not have is its nearest ancestor,
 * and the whole document is none.
 */
export function placesOf(text: string): (path: string | undefined) => TextPlace | undefined {
  const format = text.trimStart().startsWith('{') ? 'json' : 'yaml';
  const { source } = parseWholeText(text, format);
  return (path) => {
    const plain = path?.replace(/^\$\.?/, '') ?? '';
    const spot = plain === '' ? undefined : source.nearest(plain);
    if (spot === undefined || spot.path.length === 0) {
      return undefined;
    }
    const { start } = spot.key ?? spot.value;
    const end = spot.key === undefined ? spot.value.end.offset : spot.key.end.offset;
    return { line: start.line, start: start.offset, end };
  };
}

/** True where a person types the environment's name once more before something runs there. */
export function needsTyping(
  environment: string,
  known: readonly { readonly name: string; readonly production: boolean }[] | undefined,
): boolean {
  if (environment === '') {
    return false;
  }
  const named = /^prod(?:uction)?$/i.test(environment);
  // While it is not known what is marked, everything counts as marked.
  return (
    named || (known?.some(({ name, production }) => production && name === environment) ?? true)
  );
}
