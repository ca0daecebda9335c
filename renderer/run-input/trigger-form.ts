import { z } from 'zod';
import { t } from '../../preload/texts/t.ts';
import type { FlowStepSettings } from '../../server/contract/flow.ts';
import { isJsonObject, type Json, type JsonObject } from '../../server/kernel/json.ts';
import type { FieldPath } from '../../server/spec/reports/read-fields.ts';

/** A field of the form that a trigger is started with. */
export interface TriggerField {
  /** Where its value stands in the item. */
  readonly path: FieldPath;
  readonly label: string;
  /** `value`: a text, or anything that JSON can say. */
  readonly kind: 'value' | 'text' | 'long_text' | 'number' | 'choice' | 'date' | 'email';
  readonly choices: readonly string[];
  readonly required: boolean;
}

/** A field of a form; without more a value that may be left out. */
export function field(path: FieldPath, more: Partial<TriggerField> = {}): TriggerField {
  const label = path.join('.');
  return { path, label, kind: 'value', choices: [], required: false, ...more };
}

const FORM_KINDS: Readonly<Record<string, TriggerField['kind']>> = {
  text: 'text',
  textarea: 'long_text',
  number: 'number',
  dropdown: 'choice',
  radio: 'choice',
  date: 'date',
  email: 'email',
};

const formFields = z.object({
  formFields: z.object({
    values: z.array(
      z.object({
        fieldLabel: z.string().default(''),
        fieldName: z.string().optional(),
        fieldType: z.string().default('text'),
        requiredField: z.boolean().default(false),
        fieldOptions: z
          .object({ values: z.array(z.object({ option: z.string() })).default([]) })
          .optional(),
      }),
    ),
  }),
});

function ownFields({ parameters }: FlowStepSettings): TriggerField[] {
  const read = formFields.safeParse(parameters);
  if (!read.success) return [];
  return read.data.formFields.values.flatMap((one) => {
    const name = one.fieldName || one.fieldLabel;
    const choices = (one.fieldOptions?.values ?? []).map(({ option }) => option);
    const kind = Object.hasOwn(FORM_KINDS, one.fieldType) ? FORM_KINDS[one.fieldType] : undefined;
    if (name === '' || one.fieldType === 'html') return [];
    const label = one.fieldLabel === '' ? name : one.fieldLabel;
    return [field([name], { label, kind: kind ?? 'value', choices, required: one.requiredField })];
  });
}

const CHAT = field(['chatInput'], { label: t('What is said in the chat'), kind: 'long_text' });

/** What begins by itself or by hand brings no fields along. */
const BY_ITSELF = /^(?:manualTrigger|start|cron|interval|scheduleTrigger)$/;

/** What a person fills in to start a run with a trigger; empty where nothing is asked of it. */
export function triggerFields(step: FlowStepSettings, reads: readonly FieldPath[]): TriggerField[] {
  const type = step.type.slice(step.type.lastIndexOf('.') + 1);
  if (type === 'chatTrigger' || type === 'manualChatTrigger') return [CHAT];
  if (type === 'formTrigger') return ownFields(step);
  return BY_ITSELF.test(type) ? [] : reads.map((path) => field(path));
}

/** The item that an input says; null for a list, a text, or one that names more than an item. */
export function itemOfInput(input: string): JsonObject | null {
  if (input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) && !Array.isArray(value['items']) ? value : null;
  } catch {
    return null;
  }
}

/** What a field shows of an item. */
export function shownIn(item: JsonObject, path: FieldPath): string {
  let value: Json | undefined = item;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A text that is JSON in its own spelling is that value; any other is a text. */
function typedValue(text: string, { kind }: TriggerField): Json {
  if (kind !== 'value' && kind !== 'number') return text;
  try {
    const value: Json = JSON.parse(text);
    const isSame = JSON.stringify(value) === text || (typeof value === 'object' && value !== null);
    return isSame && typeof value !== 'string' ? value : text;
  } catch {
    return text;
  }
}

function withValue(item: JsonObject, path: FieldPath, value: Json | undefined): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return item;
  const inner = item[name];
  const next =
    rest.length === 0
      ? value
      : withValue(inner !== undefined && isJsonObject(inner) ? inner : {}, rest, value);
  const { [name]: _, ...others } = item;
  const isGone = next === undefined || (rest.length > 0 && Object.keys(Object(next)).length === 0);
  return isGone ? others : { ...item, [name]: next };
}

/** The input with a field filled in; an empty text takes the field out. */
export function fillIn(input: string, field: TriggerField, text: string): string {
  const item = itemOfInput(input) ?? {};
  const value = text === '' ? undefined : typedValue(text, field);
  const filled = withValue(item, field.path, value);
  return Object.keys(filled).length === 0 ? '' : JSON.stringify(filled, null, 2);
}

/** The fields that must be filled in and are not. */
export function missingFields(input: string, fields: readonly TriggerField[]): TriggerField[] {
  const item = itemOfInput(input);
  if (item === null) return [];
  return fields.filter(({ required, path }) => required && shownIn(item, path) === '');
}
