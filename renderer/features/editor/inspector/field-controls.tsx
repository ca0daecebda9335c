import { Autocomplete, Button, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { FormEdit, FormField } from '../../../../server/spec/language/inspect/form.ts';
import type { Variable } from '../spec-protocol.ts';
import { ListItems } from './list-items.tsx';
import { PromptField } from './prompt-field.tsx';
import { textsEdit } from './texts-edit.ts';
import type { FieldDraft } from './use-field-draft.ts';

/** What every control of a field is given. */
export interface ControlProps {
  readonly label: string;
  readonly description: string;
  readonly error: string | null;
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly field: FormField;
  readonly draft: FieldDraft;
  readonly variables: readonly Variable[];
  readonly change: (edit: FormEdit) => Promise<boolean>;
}

type Shared = Pick<ControlProps, 'label' | 'description' | 'error' | 'placeholder' | 'disabled'>;

function shared({ label, description, error, placeholder, disabled }: ControlProps): Shared {
  return { label, description, error, placeholder, disabled };
}

/** What a text field does on its way into the text: on Enter, and when it is left. */
function typed({ draft }: ControlProps) {
  return {
    value: draft.text,
    'data-dirty': draft.dirty,
    onBlur: () => draft.commit(),
    onKeyDown: (event: { readonly key: string }) => {
      if (event.key === 'Enter') draft.commit();
    },
  };
}

function ChoiceControl(props: ControlProps) {
  const { kind, choices, standard } = props.field;
  return (
    <NativeSelect
      size="xs"
      {...shared(props)}
      value={props.draft.text}
      data={[
        {
          value: '',
          label: standard === null ? t('not set') : t('not set ({standard})', { standard }),
        },
        ...(kind === 'boolean' ? ['true', 'false'] : choices),
      ]}
      onChange={(event) => props.draft.commit(event.currentTarget.value)}
    />
  );
}

function TextsControl(props: ControlProps) {
  const { path, choices, written, ...field } = props.field;
  const value = Array.isArray(field.value) ? field.value.map(String) : [];
  const [ordering, setOrdering] = useState(false);
  return (
    <>
      <TagsInput
        size="xs"
        {...shared(props)}
        value={value}
        data={[...new Set(choices)].filter((choice) => !value.includes(choice))}
        splitChars={[]}
        acceptValueOnBlur
        onChange={(next) => void props.change(textsEdit(path, value, next, written))}
      />
      {value.length > 1 && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={ordering}
          onClick={() => setOrdering(!ordering)}
        >
          {t('Order of {label}', { label: props.label })}
        </Button>
      )}
      {ordering && value.length > 1 && (
        <ListItems
          label={props.label}
          items={value.map((label, index) => ({ label, path: [...path, index] }))}
          ordered
          disabled={props.disabled}
          change={props.change}
        />
      )}
    </>
  );
}

/** A text that is likely one of some names. */
function NamedControl(props: ControlProps) {
  return (
    <Autocomplete
      size="xs"
      {...shared(props)}
      {...typed(props)}
      data={[...new Set(props.field.choices)]}
      onChange={props.draft.type}
      onOptionSubmit={(value) => props.draft.commit(value)}
    />
  );
}

const INPUT_MODES = { integer: 'numeric', number: 'decimal' } as const;

function LineControl(props: ControlProps) {
  const { kind } = props.field;
  return (
    <TextInput
      size="xs"
      {...shared(props)}
      {...typed(props)}
      inputMode={kind === 'integer' || kind === 'number' ? INPUT_MODES[kind] : 'text'}
      onChange={(event) => props.draft.type(event.currentTarget.value)}
    />
  );
}

const LONG_ROWS = 5;
const JSON_ROWS = 2;

function LongControl(props: ControlProps) {
  const isLong = props.field.kind === 'long';
  return (
    <PromptField
      {...shared(props)}
      draft={props.draft}
      rows={isLong ? LONG_ROWS : 1}
      variables={props.variables}
    />
  );
}

function JsonControl(props: ControlProps) {
  return <PromptField {...shared(props)} draft={props.draft} rows={JSON_ROWS} variables={[]} />;
}

/** The control that fits a field; texts complete variables where there are some. */
export function controlOf(
  { kind, choices }: FormField,
  completes: boolean,
): ComponentType<ControlProps> {
  if (kind === 'choice' || kind === 'boolean') return ChoiceControl;
  if (kind === 'texts') return TextsControl;
  if (kind === 'json') return JsonControl;
  if (kind === 'long') return LongControl;
  if (choices.length > 0) return NamedControl;
  return kind === 'text' && completes ? LongControl : LineControl;
}
