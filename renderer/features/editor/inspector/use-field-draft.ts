import { useEffect, useRef, useState } from 'react';
import type { FormEdit, FormField } from '../../../../server/spec/language/inspect/form.ts';
import { fieldText, readField } from './field-text.ts';

const PAUSE_MS = 600;

/** A field while it is typed into. */
export interface FieldDraft {
  readonly text: string;
  /** Typed and not in the text of the draft yet. */
  readonly dirty: boolean;
  readonly problem: string | null;
  readonly type: (text: string) => void;
  /** Puts what was typed, or a value that was chosen, into the text. */
  readonly commit: (text?: string) => void;
}

/** What is typed into a field goes into the text when it is left; with `pause` also after a pause. */
export function useFieldDraft(
  field: Pick<FormField, 'kind' | 'value' | 'path' | 'written'>,
  change: (edit: FormEdit) => Promise<boolean>,
  pause: boolean,
): FieldDraft {
  const shown = fieldText(field.kind, field.value);
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const sent = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // The answer to what was typed before must not take away what was typed since.
    if (sent.current !== shown) setDraft(null);
    else setDraft((now) => (now === shown ? null : now));
    sent.current = null;
    setProblem(null);
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (given?: string): void => {
    clearTimeout(timer.current);
    const text = given ?? draft;
    if (text === null || text === shown || text === sent.current) return;
    const read = readField(field, text);
    if ('problem' in read) {
      setProblem(read.problem);
      return;
    }
    const { path } = field;
    if ('clear' in read && !field.written) return;
    setDraft(text);
    sent.current = text;
    void change(
      'clear' in read ? { op: 'clear', path } : { op: 'set', path, value: read.value },
    ).then((made) => {
      if (!made) sent.current = null;
    });
  };
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  return {
    text: draft ?? shown,
    dirty: draft !== null && draft !== shown && draft !== sent.current,
    problem,
    type(text) {
      setDraft(text);
      setProblem(null);
      clearTimeout(timer.current);
      if (pause) timer.current = setTimeout(() => latest.current(), PAUSE_MS);
    },
    commit,
  };
}
