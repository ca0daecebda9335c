import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { FixField, FixValues } from '../../../server/gaps/fixes/fix-types.ts';

/** What the author fills in for an edit. */
export function FixFields(props: {
  readonly fields: readonly FixField[];
  readonly values: FixValues;
  readonly onChange: (name: string, value: string) => void;
}) {
  return props.fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      value={props.values[field.name] ?? ''}
      onChange={(value) => props.onChange(field.name, value)}
    />
  ));
}

function Field(props: {
  readonly field: FixField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { field, value, onChange } = props;
  const shared = {
    label: field.label,
    description: field.help === '' ? undefined : field.help,
    'data-testid': `fix-field-${field.name}`,
    mt: 'xs',
  };
  if (field.kind === 'choice') {
    return (
      <Select
        {...shared}
        data={[...(field.choices ?? [])]}
        value={value}
        allowDeselect={false}
        onChange={(next) => onChange(next ?? field.initial)}
      />
    );
  }
  if (field.kind === 'number') {
    return (
      <NumberInput
        {...shared}
        value={value}
        min={0}
        max={field.most ?? Number.MAX_SAFE_INTEGER}
        allowDecimal={false}
        onChange={(next) => onChange(String(next))}
      />
    );
  }
  return field.kind === 'long_text' ? (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={10}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <TextInput
      {...shared}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
