import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { fillIn, itemOfInput, shownIn, type TriggerField } from './trigger-form.ts';

/** The input of a run as the form of its trigger. */
export function TriggerFields(props: {
  readonly fields: readonly TriggerField[];
  readonly input: string;
  readonly onInput: (input: string) => void;
}) {
  const item = itemOfInput(props.input) ?? {};
  return (
    <div className="sw-trigger-fields" data-testid="trigger-fields">
      {props.fields.map((field) => (
        <Field
          key={field.path.join('\n')}
          field={field}
          text={shownIn(item, field.path)}
          onType={(text) => props.onInput(fillIn(props.input, field, text))}
        />
      ))}
    </div>
  );
}

const INPUT_TYPES = { number: 'number', date: 'date', email: 'email' } as const;

function inputType(kind: TriggerField['kind']): string {
  return kind === 'number' || kind === 'date' || kind === 'email' ? INPUT_TYPES[kind] : 'text';
}

function Field(props: {
  readonly field: TriggerField;
  readonly text: string;
  readonly onType: (text: string) => void;
}) {
  const { field, text, onType } = props;
  const shared = {
    size: 'xs',
    label: field.label,
    required: field.required,
    value: text,
    'data-testid': `trigger-field-${field.path.join('.')}`,
  };
  if (field.kind === 'choice') {
    return (
      <NativeSelect
        {...shared}
        data={['', ...field.choices]}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    );
  }
  return field.kind === 'long_text' ? (
    <Textarea
      {...shared}
      autosize
      minRows={2}
      maxRows={6}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  ) : (
    <TextInput
      {...shared}
      type={inputType(field.kind)}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
