/** What a setting of a built-in step holds. */
export type SettingKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'code'
  | 'json'
  | 'list'
  | 'map';

/** One setting of a step, as its source calls it: `parameters.<name>`. */
export interface StepSetting {
  readonly kind: SettingKind;
  /** What it does, in one sentence. */
  readonly help: string;
  readonly values?: readonly string[];
  /** What holds where it is not written. */
  readonly standard?: string;
  /** Where it is read, such as `mode = raw`; absent: always. */
  readonly when?: string;
}

/** The settings of a type by their name. */
export type StepSettings = Readonly<Record<string, StepSetting>>;

type More = Partial<Pick<StepSetting, 'standard' | 'when'>>;

const of =
  (kind: SettingKind) =>
  (help: string, more: More = {}): StepSetting => ({ kind, help, ...more });

export const text = of('text');
export const number = of('number');
export const flag = of('boolean');
export const code = of('code');
export const json = of('json');
export const list = of('list');
export const map = of('map');

/** A setting with listed values; the first one holds where it is not written. */
export function choice(values: string, help: string, more: More = {}): StepSetting {
  const listed = values.split(' ');
  return { kind: 'choice', help, values: listed, standard: listed[0] ?? '', ...more };
}

/** What a step does only where it is asked to. */
export const options = map('What is rarely set; see the options of the source.');
