import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { FormEdit } from '../../../../server/spec/language/inspect/form.ts';
import { formatPath, type Path } from '../../../../server/spec/values/path.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { askSpecWorker } from '../spec-client.ts';
import type { EditorHandle } from '../spec-editor.tsx';
import type { Inspected, InspectedPlace, SpecAnalysis } from '../spec-protocol.ts';
import { revealPath } from '../use-reveal.ts';

/** Why a change of a field was not made. */
export interface FieldRefusal {
  readonly path: string;
  readonly text: string;
}

export interface InspectorSession {
  /** Null before the first answer. */
  readonly shown: Inspected | null;
  /** Another number for another element; a renamed one stays the same. */
  readonly element: number;
  readonly refusal: FieldRefusal | null;
  /** Makes a change in the text as one step of its history; false when it was refused. */
  readonly change: (edit: FormEdit) => Promise<boolean>;
  readonly history: (step: 'undo' | 'redo') => void;
  /** Goes to the line of a place, with the keyboard. */
  readonly openLine: (path: Path) => void;
  /** Shows the form of another place. */
  readonly look: (path: Path) => void;
  /** The cursor of the text came to another place. */
  readonly onCursor: (line: number, column: number) => void;
  /** Resolves when every change that was asked for is made. */
  readonly settled: () => Promise<void>;
}

const MEANWHILE = t('The text has changed meanwhile. Try it again.');

function lookedAt(before: { readonly path: string; readonly element: number }, at: Path) {
  const path = formatPath(at);
  return path === before.path ? before : { path, element: before.element + 1 };
}

/** The form of what the cursor stands in; its changes are edits of the text. */
export function useInspector(input: {
  readonly editor: { readonly current: EditorHandle | null };
  readonly file: string;
  /** The newest look at the text: a newer one means a newer text. */
  readonly analysis: SpecAnalysis | null;
  readonly open: boolean;
}): InspectorSession {
  const { editor, file, analysis, open } = input;
  const [place, setPlace] = useState<InspectedPlace | null>(null);
  const [shown, setShown] = useState<Inspected | null>(null);
  const [refusal, setRefusal] = useState<FieldRefusal | null>(null);
  // The text moves the cursor along when it is edited from here: the form stays where it is.
  const quiet = useRef(false);
  const looked = useRef({ path: '', element: 0 });
  const line = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const handle = editor.current;
    if (!open || place === null || handle === null || analysis === null) return undefined;
    let wanted = true;
    askSpecWorker('inspect', { text: handle.text(), file, at: place }, { key: `inspect ${file}` })
      .then((answer) => {
        if (!wanted || answer === undefined) return;
        if (answer.form !== null) looked.current = lookedAt(looked.current, answer.form.path);
        setShown((before) =>
          answer.readable || before === null ? answer : { ...before, readable: false },
        );
      })
      .catch((error: unknown) => notifyError(t('The element could not be read'), error));
    return () => {
      wanted = false;
    };
  }, [editor, file, analysis, open, place]);
  const make = useCallback(
    async (edit: FormEdit): Promise<boolean> => {
      const handle = editor.current;
      if (handle === null) return false;
      const text = handle.text();
      const refuse = (problem: string): false => {
        setRefusal({ path: formatPath(edit.path), text: problem });
        return false;
      };
      const answer = await askSpecWorker('form_edit', { text, file, edit });
      if (answer === undefined) return false;
      if ('problem' in answer) return refuse(answer.problem);
      setRefusal(null);
      if (answer.edits.length === 0) return true;
      quiet.current = true;
      const made = handle.edit(text, answer.edits);
      quiet.current = false;
      if (!made) return refuse(MEANWHILE);
      const { path } = answer;
      const own = edit.op === 'add' || looked.current.path === formatPath(edit.path);
      if (path !== null && own) {
        looked.current = { ...looked.current, path: formatPath(path) };
        setPlace({ path });
      }
      return true;
    },
    [editor, file],
  );
  const change = useCallback(
    (edit: FormEdit): Promise<boolean> => {
      // One after another: each is made in the text that the one before left.
      const made = line.current.then(() =>
        make(edit).catch((error: unknown) => {
          notifyError(t('The text was not changed'), error);
          return false;
        }),
      );
      line.current = made;
      return made;
    },
    [make],
  );
  const history = useCallback((step: 'undo' | 'redo') => editor.current?.history(step), [editor]);
  const openLine = useCallback(
    (path: Path) =>
      revealPath(editor, { text: editor.current?.text() ?? '', file, path: formatPath(path) }),
    [editor, file],
  );
  const look = useCallback((path: Path) => {
    setRefusal(null);
    setPlace({ path });
  }, []);
  const onCursor = useCallback((at: number, column: number) => {
    if (quiet.current) return;
    setRefusal(null);
    setPlace({ line: at, column });
  }, []);
  const settled = useCallback(async () => void (await line.current), []);
  const { element } = looked.current;
  return { shown, element, refusal, change, history, openLine, look, onCursor, settled };
}
