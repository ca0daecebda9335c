import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { type AuditView, isFiltered, withFilter } from './audit-model.ts';

const TYPING_MS = 300;

/** What both sides of the audit are given. */
export interface AuditSide {
  readonly view: AuditView;
  readonly onView: (view: AuditView) => void;
  /** The choice of the side. */
  readonly choice: ReactNode;
}

/** A filter that is typed; the address follows once the typing rests. */
export function TypedFilter(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly width: number;
  readonly testId: string;
}) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  // The address was changed by somebody else: a link, Back, or Clear.
  if (value !== sent) {
    setSent(value);
    setTyped(value);
  }
  const send = useDebouncedCallback((text: string) => {
    setSent(text.trim());
    onChange(text.trim());
  }, TYPING_MS);
  return (
    <TextInput
      size="xs"
      w={props.width}
      aria-label={props.label}
      placeholder={props.label}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      data-testid={props.testId}
    />
  );
}

/** A filter that is chosen of what was seen. */
export function ChosenFilter(props: {
  readonly label: string;
  readonly any: string;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly testId: string;
}) {
  const choices = props.choices.map((choice) =>
    typeof choice === 'string' ? { value: choice, label: choice } : choice,
  );
  return (
    <NativeSelect
      size="xs"
      aria-label={props.label}
      data={[{ value: '', label: props.any }, ...choices]}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      data-testid={props.testId}
    />
  );
}

/** The filters of one side, between its choice and what both sides have. */
export function AuditFilters(
  props: AuditSide & {
    readonly label: string;
    readonly children: ReactNode;
    readonly end: ReactNode;
  },
) {
  const { view, onView, choice } = props;
  const set = (change: Readonly<Record<string, string>>): void => onView(withFilter(view, change));
  return (
    <search className="sw-operate-filters" aria-label={props.label}>
      {choice}
      {props.children}
      <TypedFilter
        label={t('Id of a run')}
        value={view.run ?? ''}
        onChange={(run) => set({ run })}
        width={180}
        testId="audit-run"
      />
      {(['since', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          size="xs"
          w={168}
          leftSection={<span className="sw-faint">{name === 'since' ? t('from') : t('to')}</span>}
          leftSectionWidth={42}
          aria-label={name === 'since' ? t('From this day') : t('Up to this day')}
          title={name === 'since' ? t('From this day') : t('Up to this day')}
          value={view[name] ?? ''}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
          data-testid={`audit-${name}`}
        />
      ))}
      {isFiltered(view) && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onView(view.tab === undefined ? {} : { tab: view.tab })}
          data-testid="audit-clear"
        >
          {t('Clear')}
        </Button>
      )}
      {props.end}
    </search>
  );
}
