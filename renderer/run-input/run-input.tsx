import { t } from '../../preload/texts/t.ts';
import './run-input.css';
import { NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { type Ref, useState } from 'react';
import type { FlowTrigger } from './flow-input.ts';
import { TriggerFields } from './trigger-fields.tsx';
import { itemOfInput } from './trigger-form.ts';

const ITEMS_HINT = t("A text, one JSON object, or a list of objects: the trigger's items.");
const VIEWS = [
  { value: 'form', label: t('Form') },
  { value: 'json', label: t('JSON') },
];

/** What a run begins with: its trigger, and its input as the trigger's form or as it is sent. */
export function RunInput(props: {
  /** Null for a spec that is no item flow. */
  readonly flow: readonly FlowTrigger[] | null;
  readonly trigger: string;
  readonly onTrigger: (trigger: string) => void;
  readonly input: string;
  readonly onInput: (input: string) => void;
  readonly problem: string | null;
  readonly inputRef?: Ref<HTMLTextAreaElement>;
  /** Begins the names under which tests find its parts. */
  readonly testId: string;
  /** Beside the input of a spec that is no item flow. */
  readonly hint?: string;
}) {
  const { flow, input, testId, hint } = props;
  const [view, setView] = useState('form');
  const chosen = flow?.find(({ key }) => key === props.trigger) ?? flow?.[0];
  const fields = chosen?.fields ?? [];
  const fits = fields.length > 0 && itemOfInput(input) !== null;
  const asForm = fits && view === 'form';
  return (
    <>
      {flow !== null && flow.length > 1 && (
        <NativeSelect
          size="xs"
          label={t('Trigger')}
          value={props.trigger}
          onChange={(event) => props.onTrigger(event.currentTarget.value)}
          data={flow.map(({ key, name }) => ({ value: key, label: name }))}
          data-testid={`${testId}-trigger`}
        />
      )}
      {fits && (
        <SegmentedControl
          size="xs"
          aria-label={t('Input as')}
          data={VIEWS}
          value={view}
          onChange={setView}
          data-testid={`${testId}-input-view`}
        />
      )}
      {asForm ? (
        <TriggerFields fields={fields} input={input} onInput={props.onInput} />
      ) : (
        <Textarea
          {...(props.inputRef === undefined ? {} : { ref: props.inputRef })}
          label={t('Input')}
          description={flow === null ? hint : ITEMS_HINT}
          error={props.problem}
          value={input}
          onChange={(event) => props.onInput(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={6}
          data-testid={`${testId}-input`}
          data-autofocus
        />
      )}
      {asForm && props.problem !== null && (
        <p className="sw-field-error" role="alert">
          {props.problem}
        </p>
      )}
    </>
  );
}
