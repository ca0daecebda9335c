import { t } from '../../../../preload/texts/t.ts';
import './inspector.css';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFileText, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type {
  FormField,
  FormSection,
  FormSubject,
} from '../../../../server/spec/language/inspect/form.ts';
import { formatPath } from '../../../../server/spec/values/path.ts';
import { WINDOW_PART } from '../../../app/window-parts.ts';
import { FormFieldView, type FormHand } from './form-field.tsx';
import type { InspectorSession } from './use-inspector.ts';

const TITLES: Readonly<Partial<Record<FormSubject, string>>> = {
  'group-chat': t('Group chat workflow'),
  mcp_server: t('MCP server'),
  sequential: t('Sequential workflow'),
  graph: t('Graph workflow'),
  concurrent: t('Concurrent workflow'),
  handoff: t('Handoff workflow'),
  settings: t('Settings'),
  flow_step: t('In its source'),
};

function titleOf({ subject, name }: FormSection): string {
  const word = TITLES[subject] ?? subject.charAt(0).toUpperCase() + subject.slice(1);
  return name === null ? word : `${word} ${name}`;
}

/** What every look shows; other fields stand behind "more". */
const ALWAYS: ReadonlySet<string> = new Set(['system_prompt', 'model', 'description', 'condition']);
const SHORT = 7;

function isShown({ key, written, required, findings }: FormField): boolean {
  return written || required || findings.length > 0 || ALWAYS.has(key);
}

/** The form of what the cursor stands in. Escape goes back to the graph. */
export function InspectorPanel(props: {
  readonly session: InspectorSession;
  readonly readOnly: boolean;
  /** Counts the times that somebody asked for the form by keyboard: then it takes the keyboard. */
  readonly asked: number;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { session, asked } = props;
  const host = useRef<HTMLElement>(null);
  const { shown } = session;
  const form = shown?.form ?? null;
  useFirstField(host, asked, form !== null);
  const disabled = props.readOnly || shown?.readable === false;
  return (
    <section
      ref={host}
      className="sw-inspect"
      aria-label={t('Inspector')}
      {...WINDOW_PART}
      data-testid="inspector"
      data-path={form === null ? '' : formatPath(form.path)}
      onKeyDown={(event) => onKey(event, session, props.onBack)}
    >
      <div className="sw-inspect-head">
        <h2 className="sw-section-title">{t('Inspector')}</h2>
        <span style={{ flex: 1 }} />
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={t('Close the inspector')}
          onClick={props.onClose}
        >
          <IconX size={14} />
        </ActionIcon>
      </div>
      <div className="sw-inspect-body" tabIndex={form === null ? 0 : -1}>
        {shown?.readable === false && (
          <p className="sw-inspect-fault" role="status">
            {t('The text cannot be read now. Mend it first; the findings are in Problems.')}
          </p>
        )}
        {form === null && shown?.readable !== false && (
          <p className="sw-inspect-help">
            {t(
              'Choose a step or an edge in the graph, or put the cursor into an agent, a tool, a human step or a workflow.',
            )}
          </p>
        )}
        {form?.sections.map((section) => (
          <Section
            key={`${session.element} ${section.subject}`}
            section={section}
            hand={{
              session,
              disabled,
              variables: shown?.variables ?? [],
              asWritten: section.subject === 'settings',
            }}
          />
        ))}
      </div>
    </section>
  );
}

/** Puts the keyboard on the first field once a form is there that was asked for. */
function useFirstField(
  host: { readonly current: HTMLElement | null },
  asked: number,
  ready: boolean,
): void {
  const done = useRef(0);
  useEffect(() => {
    if (!ready || asked === done.current) return;
    done.current = asked;
    host.current
      ?.querySelector<HTMLElement>('.sw-inspect-body :is(input, textarea, select):not(:disabled)')
      ?.focus();
  }, [host, asked, ready]);
}

/** Keys of the form: Escape leaves it, and undo is that of the text unless a field was typed into. */
function onKey(event: KeyboardEvent, session: InspectorSession, onBack: () => void): void {
  const { target } = event;
  if (event.key === 'Escape' && !event.defaultPrevented) {
    event.preventDefault();
    event.stopPropagation();
    onBack();
    return;
  }
  if (event.key === 'Enter' && event.altKey) {
    event.preventDefault();
    openField(target, session);
    return;
  }
  const letter = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || (letter !== 'z' && letter !== 'y')) return;
  if (target instanceof HTMLElement && target.dataset['dirty'] === 'true') return;
  event.preventDefault();
  session.history(letter === 'y' || event.shiftKey ? 'redo' : 'undo');
}

/** Goes to the line of the field that an element belongs to. */
function openField(target: EventTarget, session: InspectorSession): void {
  const field = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-field]') : null;
  const wanted = field?.dataset['field'];
  const all = (fields: readonly FormField[]): readonly FormField[] =>
    fields.flatMap((one) => [one, ...all(one.fields)]);
  const found = session.shown?.form?.sections
    .flatMap(({ fields }) => all(fields))
    .find(({ path }) => formatPath(path) === wanted);
  if (found !== undefined) session.openLine(found.path);
}

function Section(props: { readonly section: FormSection; readonly hand: FormHand }) {
  const { section, hand } = props;
  const [more, setMore] = useState(false);
  const short = section.fields.length <= SHORT;
  const first = section.fields.filter((field) => short || isShown(field));
  const rest = section.fields.filter((field) => !first.includes(field));
  const title = titleOf(section);
  return (
    <section className="sw-inspect-section" aria-label={title} data-subject={section.subject}>
      <h3>
        <span>{title}</span>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={t('Open {title} in the text', { title })}
          title={t('Open in the text')}
          onClick={() => hand.session.openLine(section.path)}
        >
          <IconFileText size={13} />
        </ActionIcon>
      </h3>
      {section.about !== null && <p className="sw-inspect-help">{section.about}</p>}
      {section.findings.map(({ severity, message }) => (
        <p key={message} className="sw-inspect-fault" data-severity={severity}>
          {message}
        </p>
      ))}
      {section.name !== null && <NameField section={section} name={section.name} hand={hand} />}
      {first.map((field) => (
        <FormFieldView key={field.key} field={field} hand={hand} />
      ))}
      {more && rest.map((field) => <FormFieldView key={field.key} field={field} hand={hand} />)}
      {rest.length > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={more}
          onClick={() => setMore(!more)}
        >
          {more
            ? t('Fewer fields')
            : t('{count, plural, one {# more field} other {# more fields}}', {
                count: rest.length,
              })}
        </Button>
      )}
    </section>
  );
}

/** The name of an element; a new one is written wherever the old one stood. */
function NameField(props: {
  readonly section: FormSection;
  readonly name: string;
  readonly hand: FormHand;
}) {
  const { section, name, hand } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const { session } = hand;
  const { path } = section;
  const commit = (): void => {
    const wanted = draft?.trim() ?? '';
    if (wanted === '' || wanted === name) setDraft(null);
    else {
      void session.change({ op: 'rename', path, name: wanted }).then((made) => {
        if (made) setDraft(null);
      });
    }
  };
  const refused = session.refusal?.path === formatPath(path) ? session.refusal.text : null;
  return (
    <div className="sw-inspect-field">
      <TextInput
        size="xs"
        label={t('Key')}
        description={t('A new one is written wherever this one is used.')}
        disabled={hand.disabled}
        error={refused}
        value={draft ?? name}
        data-dirty={draft !== null && draft !== name}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
    </div>
  );
}
