import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { EDITOR_OPTIONS, monaco, themeOf } from './monaco-setup.ts';

function setLabel(editor: monaco.editor.ICodeEditor, ariaLabel: string): void {
  if (editor.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel) {
    editor.updateOptions({ ariaLabel });
  }
}

/** Two texts side by side; the right one can be edited when `onChange` is given. */
export function TextDiff(props: {
  readonly left: string;
  readonly right: string;
  /** What the left and the right text are, for who does not see them side by side. */
  readonly labels: readonly [string, string];
  readonly onChange?: (right: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const scheme = useComputedColorScheme('dark');
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    monaco.editor.setTheme(themeOf(scheme));
  }, [scheme]);
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
