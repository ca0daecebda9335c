import { z } from 'zod';
import { type IgnoredSetting, type StraySetting, straySettings } from '../kernel/setting-names.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';

/** The variables of a process; a blank one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a variable may hold: how its text is read, and the same in words. */
export interface Kind<T> {
  readonly schema: z.ZodType<T, string>;
  /** Completes "NAME must be …". */
  readonly form: string;
}

/** One variable: declared once for the reader, its refusals and docs/settings.md. */
export interface Setting<T> extends Kind<T> {
  /** Its value where the variable is not set. */
  readonly standard: T;
  /** The standard value in words, where it does not speak for itself. */
  readonly shown: string | undefined;
  readonly about: string;
  /** What a malformed value does: the service does not start, or the standard value counts. */
  readonly malformed: 'refused' | 'ignored';
}

/** The settings that share a prefix. */
export interface SettingsGroup<S extends Readonly<Record<string, Setting<unknown>>>> {
  readonly title: string;
  readonly prefix: string;
  /** The reference's prefix, read where ours is not set. */
  readonly alias: string | undefined;
  readonly settings: S;
}

/** The values of a group, by name without the prefix. */
export type SettingValues<S> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never;
};

const TRUE = ['1', 'true', 'yes', 'on'];
const FALSE = ['0', 'false', 'no', 'off'];

interface Bounds {
  readonly min?: number;
  /** As `min`, which itself is refused. */
  readonly above?: number;
  readonly max?: number;
  readonly integer?: boolean;
  /** A larger number counts as this one. */
  readonly most?: number;
}

/** A number within its bounds. */
export function numberOf({ min, above, max, integer, most }: Bounds): Kind<number> {
  let schema = z.coerce.number<string>();
  if (integer === true) schema = schema.int();
  if (min !== undefined) schema = schema.min(min);
  if (above !== undefined) schema = schema.gt(above);
  if (max !== undefined) schema = schema.max(max);
  const form = [
    integer === true ? 'an integer' : 'a number',
    ...(min === undefined ? [] : [`of at least ${min}`]),
    ...(above === undefined ? [] : [`greater than ${above}`]),
    ...(max === undefined ? [] : [`and at most ${max}`]),
  ].join(' ');
  return { schema: schema.transform((value) => Math.min(value, most ?? value)), form };
}

/** A whole number of at least `min`. */
export function integerOf(min: number): Kind<number> {
  return numberOf({ integer: true, min });
}

export const portNumber = numberOf({ integer: true, min: 0, max: 65_535 });

/** A truth value. */
export const flag: Kind<boolean> = {
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum([...TRUE, ...FALSE]))
    .transform((word) => TRUE.includes(word)),
  form: `one of ${[...TRUE, ...FALSE].join(', ')}`,
};

/** One of a closed list of words, in any case. */
export function wordOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  const form = `one of ${words.join(', ')}`;
  const schema = z.string().transform((text, context): Word => {
    const word = words.find((known) => known.toLowerCase() === text.toLowerCase());
    if (word !== undefined) return word;
    context.addIssue({ code: 'custom', message: form });
    return z.NEVER;
  });
  return { schema, form };
}

export const text: Kind<string> = { schema: z.string(), form: 'a text' };

function partsOf(list: string): string[] {
  return list.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}

/** Texts with commas between. */
export const list: Kind<readonly string[]> = {
  schema: z.string().transform(partsOf),
  form: 'a list with commas',
};

/** Words of a closed list, with commas between. */
export function wordsOf<const Word extends string>(words: readonly Word[]): Kind<readonly Word[]> {
  const schema = z
    .string()
    .transform(partsOf)
    .pipe(z.array(z.enum(words)));
  return { schema, form: `a list with commas of ${words.join(', ')}` };
}

/** JSON of a shape. */
export function jsonOf<T>(schema: z.ZodType<T>, form: string): Kind<T> {
  const read = z.string().transform((value, context): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not valid JSON' });
      return z.NEVER;
    }
  });
  return { schema: read.pipe(schema), form };
}

/** A setting with a standard value. */
export function setting<T>(kind: Kind<T>, standard: T, about: string, shown?: string): Setting<T> {
  return { ...kind, standard, shown, about, malformed: 'refused' };
}

/** A setting that may be absent; `shown` says what counts then. */
export function optional<T>(kind: Kind<T>, about: string, shown?: string): Setting<T | undefined> {
  return { ...kind, standard: undefined, shown, about, malformed: 'refused' };
}

/** The setting whose malformed value counts as none. */
export function ignoring<T>(declared: Setting<T>): Setting<T> {
  return { ...declared, malformed: 'ignored' };
}

/** A setting of the reference that would do nothing here: it must not be set. */
export function unusable(because: string): Setting<undefined> {
  const schema = z.string().transform((_text, context): undefined => {
    context.addIssue({ code: 'custom', message: because });
    return z.NEVER;
  });
  const about = `Does nothing here: ${because}.`;
  const form = `unset: it does nothing here, since ${because}`;
  return { schema, form, standard: undefined, shown: undefined, about, malformed: 'refused' };
}

/** Declares the settings of one prefix. */
export function settingsGroup<const S extends Readonly<Record<string, Setting<unknown>>>>(
  group: SettingsGroup<S>,
): SettingsGroup<S> {
  return group;
}

interface Prefixes {
  readonly prefix: string;
  readonly alias: string | undefined;
}

/** What the environment says of a setting: by our name, else by the reference's. */
export function givenText(
  { prefix, alias }: Prefixes,
  name: string,
  env: Environment,
): string | undefined {
  const own = env[prefix + name]?.trim() ?? '';
  if (own !== '') return own;
  const other = alias === undefined ? '' : (env[alias + name]?.trim() ?? '');
  return other === '' ? undefined : other;
}

function settingOf(group: Prefixes, name: string, declared: Setting<unknown>, env: Environment) {
  const given = givenText(group, name, env);
  if (given === undefined) return declared.standard;
  const read = declared.schema.safeParse(given);
  if (read.success) return read.data;
  if (declared.malformed === 'ignored') return declared.standard;
  throw new StartRefusal(`${group.prefix}${name} must be ${declared.form}.`);
}

/** The values of a group. @throws StartRefusal naming the setting that is malformed. */
export function readSettings<S extends Readonly<Record<string, Setting<unknown>>>>(
  group: SettingsGroup<S>,
  env: Environment,
): SettingValues<S> {
  const values = Object.entries(group.settings).map(
    ([name, declared]) => [name, settingOf(group, name, declared, env)] as const,
  );
  return Object.fromEntries(values) as SettingValues<S>;
}

/** Variables that differ by a slip from a setting of the groups, which share their first prefix. */
export function strayVariables(
  env: Environment,
  groups: readonly {
    readonly prefix: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[],
): StraySetting[] {
  const known = groups.flatMap(({ prefix, settings }) =>
    Object.keys(settings).map((name) => prefix + name),
  );
  return straySettings(env, groups[0]?.prefix ?? '', known);
}

/** Settings that are given and that nothing reads as things stand. */
export function unreadSettings(
  group: SettingsGroup<Readonly<Record<string, Setting<unknown>>>>,
  env: Environment,
  isUnread: (name: string) => boolean,
  because: string,
): IgnoredSetting[] {
  return Object.keys(group.settings)
    .filter((name) => isUnread(name) && givenText(group, name, env) !== undefined)
    .map((name) => ({ setting: group.prefix + name, because }));
}

/** Settings whose malformed value counts as none: each that holds one, without the value. */
export function ignoredValues(
  group: SettingsGroup<Readonly<Record<string, Setting<unknown>>>>,
  env: Environment,
): IgnoredSetting[] {
  return Object.entries(group.settings).flatMap(([name, declared]) => {
    const given = declared.malformed === 'ignored' ? givenText(group, name, env) : undefined;
    if (given === undefined || declared.schema.safeParse(given).success) return [];
    const because = `it must be ${declared.form}; it counts as not set`;
    return [{ setting: group.prefix + name, because }];
  });
}
