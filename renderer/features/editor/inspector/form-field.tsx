import { ActionIcon } from '@mantine/core';
import { IconFileText, IconX } from '@tabler/icons-react';
import { t } from '../../../../preload/texts/t.ts';
import type { FormField } from '../../../../server/spec/language/inspect/form.ts';
import { formatPath } from '../../../../server/spec/values/path.ts';
import { SERVICE_TEXT } from '../../../ui/service-text.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import type { Variable } from '../spec-protocol.ts';
import { controlOf } from './field-controls.tsx';
import { ListItems } from './list-items.tsx';
import { useFieldDraft } from './use-field-draft.ts';
import type { InspectorSession } from './use-inspector.ts';

/** What the fields of a form share. */
export interface FormHand {
  readonly session: InspectorSession;
  readonly disabled: boolean;
  readonly variables: readonly Variable[];
  /** Keys stand as they are written, such as those of a source. */
  readonly asWritten: boolean;
}

/** A key as a label. */
function labelOf({ key, unknown }: FormField, { asWritten }: FormHand): string {
  if (asWritten || unknown) return key;
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function errorOf(field: FormField, hand: FormHand, problem: string | null): string | null {
  const refused = hand.session.refusal;
  if (problem !== null) return problem;
  if (refused?.path === formatPath(field.path)) return refused.text;
  return field.findings.find(({ severity }) => severity === 'error')?.message ?? null;
}

/** What stands below the label: what the field is for, and warnings about it. */
function aboutOf(field: FormField): string {
  const told = field.findings.filter(({ severity }) => severity !== 'error');
  return [field.help, ...told.map(({ message }) => message)]
    .filter((text) => text !== '')
    .join(' ');
}

/** One field of the form, in the control that fits its kind. */
export function FormFieldView(props: { readonly field: FormField; readonly hand: FormHand }) {
  const { field, hand } = props;
  if (field.kind === 'group') return <GroupField field={field} hand={hand} />;
  if (field.kind === 'parts') return <PartsField field={field} hand={hand} />;
  return (
    <div className="sw-inspect-field" data-field={formatPath(field.path)}>
      <ValueField field={field} hand={hand} />
      <span className="sw-inspect-tools">
        <FieldTools field={field} hand={hand} keyed />
      </span>
    </div>
  );
}

function FieldTools(props: {
  readonly field: FormField;
  readonly hand: FormHand;
  /** The field has a control with keys for the same, so that Tab need not stop here. */
  readonly keyed?: boolean;
}) {
  const { field, hand } = props;
  const stop = props.keyed === true ? { tabIndex: -1 } : {};
  const label = labelOf(field, hand);
  return (
    <>
      {field.unknown && <Badge tone="warning">{t('unknown, kept')}</Badge>}
      {field.elsewhere && <Badge>{t('shared')}</Badge>}
      {field.written && (
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          {...stop}
          aria-label={t('Open {label} in the text', { label })}
          title={t('Open in the text (Alt+Enter)')}
          onClick={() => hand.session.openLine(field.path)}
        >
          <IconFileText size={13} />
        </ActionIcon>
      )}
      {field.written && !field.required && !field.elsewhere && (
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          {...stop}
          disabled={hand.disabled}
          aria-label={t('Clear {label}', { label })}
          title={t('Clear')}
          onClick={() => void hand.session.change({ op: 'clear', path: field.path })}
        >
          <IconX size={13} />
        </ActionIcon>
      )}
    </>
  );
}

function ValueField(props: { readonly field: FormField; readonly hand: FormHand }) {
  const { field, hand } = props;
  const { session, variables } = hand;
  const draft = useFieldDraft(field, session.change, field.kind === 'long');
  const Control = controlOf(field, variables.length > 0);
  return (
    <Control
      label={labelOf(field, hand)}
      description={aboutOf(field)}
      error={errorOf(field, hand, draft.problem)}
      placeholder={field.standard ?? ''}
      disabled={hand.disabled || field.elsewhere}
      {...{ field, draft, variables }}
      change={session.change}
    />
  );
}

function GroupField(props: { readonly field: FormField; readonly hand: FormHand }) {
  const { field, hand } = props;
  const [error] = field.findings;
  return (
    <fieldset className="sw-inspect-group" data-field={formatPath(field.path)}>
      <legend>
        {labelOf(field, hand)}
        <FieldTools field={field} hand={hand} />
      </legend>
      {field.help !== '' && <p className="sw-inspect-help">{field.help}</p>}
      {error !== undefined && (
        <p className="sw-inspect-fault" data-severity={error.severity} {...SERVICE_TEXT}>
          {error.message}
        </p>
      )}
      {field.fields.map((one) => (
        <FormFieldView key={one.key} field={one} hand={hand} />
      ))}
    </fieldset>
  );
}

function PartsField(props: { readonly field: FormField; readonly hand: FormHand }) {
  const { field, hand } = props;
  const label = labelOf(field, hand);
  const refused = hand.session.refusal;
  const own = refused?.path.startsWith(formatPath(field.path)) === true ? refused.text : null;
  return (
    <div className="sw-inspect-parts" data-field={formatPath(field.path)}>
      <ListItems
        label={label}
        items={field.parts.map((part) => ({ ...part, open: () => hand.session.look(part.path) }))}
        ordered={field.list}
        disabled={hand.disabled || field.elsewhere}
        change={hand.session.change}
        onAdd={
          field.list ? () => void hand.session.change({ op: 'add', path: field.path }) : undefined
        }
        tools={<FieldTools field={field} hand={hand} />}
      />
      {own !== null && (
        <p className="sw-inspect-fault" data-severity="error" role="alert">
          {own}
        </p>
      )}
    </div>
  );
}
