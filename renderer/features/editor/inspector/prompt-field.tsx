import { Textarea } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { Variable } from '../spec-protocol.ts';
import type { FieldDraft } from './use-field-draft.ts';
import { type VariableMatch, variablesBefore, withVariable } from './variables.ts';

/** A text in which variables are completed: `{{`, `$` or Ctrl+Space lists them. */
export function PromptField(props: {
  readonly draft: FieldDraft;
  readonly label: string;
  readonly description: string;
  readonly error: string | null;
  readonly rows: number;
  readonly disabled: boolean;
  readonly variables: readonly Variable[];
  readonly placeholder: string;
}) {
  const { draft, variables } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [match, setMatch] = useState<VariableMatch | null>(null);
  const [at, setAt] = useState(0);
  const look = (text: string, caret: number, asked: boolean): void => {
    setMatch(variables.length === 0 ? null : variablesBefore(text, caret, variables, asked));
    setAt(0);
  };
  const take = (variable: Variable): void => {
    const element = field.current;
    if (element === null || match === null) return;
    const made = withVariable(draft.text, element.selectionStart, match.start, variable);
    draft.type(made.text);
    setMatch(null);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(made.caret, made.caret);
    });
  };
  const onList = (event: KeyboardEvent, { options }: VariableMatch): boolean => {
    const chosen = options[at];
    if (event.key === 'ArrowDown') setAt((at + 1) % options.length);
    else if (event.key === 'ArrowUp') setAt((at + options.length - 1) % options.length);
    else if (event.key === 'Escape') setMatch(null);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(chosen);
    else return false;
    return true;
  };
  return (
    <div className="sw-inspect-prompt">
      <Textarea
        ref={field}
        size="xs"
        label={props.label}
        description={props.description}
        error={props.error}
        placeholder={props.placeholder}
        disabled={props.disabled}
        autosize
        minRows={props.rows}
        maxRows={24}
        value={draft.text}
        data-dirty={draft.dirty}
        {...(match === null
          ? {}
          : { 'aria-controls': list, 'aria-activedescendant': `${list}-${at}` })}
        onChange={(event) => {
          const { value, selectionStart } = event.currentTarget;
          draft.type(value);
          look(value, selectionStart, false);
        }}
        onKeyDown={(event) => {
          if (match !== null && onList(event, match)) {
            event.preventDefault();
            event.stopPropagation();
          } else if (event.key === ' ' && event.ctrlKey) {
            event.preventDefault();
            look(draft.text, event.currentTarget.selectionStart, true);
          } else if (event.key === 'Enter' && props.rows === 1) {
            event.preventDefault();
            draft.commit();
          }
        }}
        onBlur={() => {
          setMatch(null);
          draft.commit();
        }}
      />
      {match !== null && (
        <div className="sw-inspect-variables" id={list} role="listbox" aria-label={t('Variables')}>
          {match.options.map((variable, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field takes the keys
            <div
              key={variable.insert}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(variable)}
            >
              <code>{variable.insert}</code>
              <span>{variable.about}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
