import { z } from 'zod';
import { t } from '../../../../preload/texts/t.ts';
import type { FlowSettings, FlowStepSettings } from '../../../../server/contract/flow.ts';
import { field, type TriggerField } from '../../../run-input/trigger-form.ts';

const KINDS: Readonly<Record<string, TriggerField['kind']>> = {
  'text-input': 'text',
  paragraph: 'long_text',
  select: 'choice',
  number: 'number',
};

const asked = z.object({
  variable: z.string().min(1),
  label: z.unknown().optional(),
  type: z.string().default('text-input'),
  required: z.boolean().default(false),
  options: z.array(z.string()).default([]).catch([]),
});

/** The form of a graph's start, and that of an app without a graph, which names a field by its kind. */
const form = z.object({
  variables: z.array(z.unknown()).default([]).catch([]),
  user_input_form: z.array(z.record(z.string(), z.unknown())).default([]).catch([]),
});

const QUESTION = field(['query'], { label: t('What is said in the chat'), kind: 'long_text' });

/** What a person fills in to start a run of a Dify app: the fields of its form, and of a chat the question. */
export function difyFields(
  { parameters }: FlowStepSettings,
  mode: FlowSettings['mode'],
): TriggerField[] {
  const { variables, user_input_form } = form.parse(parameters);
  const named = user_input_form.flatMap((one) =>
    Object.entries(one).map(([type, rest]) => ({ ...Object(rest), type }) as unknown),
  );
  const fields = [...variables, ...named].flatMap((one) => {
    const read = asked.safeParse(one);
    if (!read.success) return [];
    const { variable, label, type, required, options: choices } = read.data;
    const shown = typeof label === 'string' && label !== '' ? label : variable;
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    return [field([variable], { label: shown, kind: kind ?? 'value', choices, required })];
  });
  return mode === 'workflow' ? fields : [QUESTION, ...fields];
}
