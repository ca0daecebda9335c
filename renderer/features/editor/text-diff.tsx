import { useEffect, useRef } from 'react';
import { EDITOR_OPTIONS, monaco } from './monaco-setup.ts';
import { useEditorTheme } from './use-editor-theme.ts';

function setLabel(editor: monaco.editor.ICodeEditor, ariaLabel: string): void {
  if (editor.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel) {
    editor.updateOptions({ ariaLabel });
  }
}

/** A line of one of the two texts, from 1. */
export interface TextPlaceShown {
  readonly side: 'left' | 'right';
  readonly line: number;
}

/** Shows a line as soon as the differences are known: regions without any are folded then. */
function showLine(editor: monaco.editor.IStandaloneDiffEditor, { side, line }: TextPlaceShown) {
  const subscription = editor.onDidUpdateDiff(() => {
    subscription.dispose();
    const half = side === 'left' ? editor.getOriginalEditor() : editor.getModifiedEditor();
    half.setPosition({ lineNumber: line, column: 1 });
    half.revealLineInCenter(line);
    half.focus();
  });
  return subscription;
}

/** Two texts side by side; the right one can be edited when `onChange` is given. */
export function TextDiff(props: {
  readonly left: string;
  readonly right: string;
  /** What the left and the right text are, for who does not see them side by side. */
  readonly labels: readonly [string, string];
  readonly onChange?: (right: string) => void;
  /** Where it begins; the cursor is put there. */
  readonly shown?: TextPlaceShown | null;
}) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEditorTheme();
  const { left, right } = props;
  useEffect(() => {
    if (host.current === null) {
      return undefined;
    }
    const original = monaco.editor.createModel(left, 'yaml');
    const modified = monaco.editor.createModel(right, 'yaml');
    const editor = monaco.editor.createDiffEditor(host.current, {
      ...EDITOR_OPTIONS,
      readOnly: latest.current.onChange === undefined,
      originalEditable: false,
      renderSideBySide: true,
      hideUnchangedRegions: { enabled: true },
    });
    editor.setModel({ original, modified });
    // The library forgets labels among its options as soon as one of them changes, also by a new
    // size of the window.
    const label = (): void => {
      const [ofLeft, ofRight] = latest.current.labels;
      setLabel(editor.getOriginalEditor(), ofLeft);
      setLabel(editor.getModifiedEditor(), ofRight);
    };
    label();
    const labelling = [
      editor.onDidUpdateDiff(label),
      editor.getOriginalEditor().onDidChangeConfiguration(label),
      editor.getModifiedEditor().onDidChangeConfiguration(label),
    ];
    const { shown } = latest.current;
    if (shown) labelling.push(showLine(editor, shown));
    const subscription = modified.onDidChangeContent(() =>
      latest.current.onChange?.(modified.getValue()),
    );
    return () => {
      for (const one of labelling) {
        one.dispose();
      }
      subscription.dispose();
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [left, right]);
  return <div ref={host} className="sw-merge-view" data-testid="text-diff" />;
}
