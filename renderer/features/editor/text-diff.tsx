import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { EDITOR_OPTIONS, monaco, themeOf } from './monaco-setup.ts';

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
    // The library forgets labels among its options as soon as one of them changes.
    const label = (): void => {
      const [ofLeft, ofRight] = latest.current.labels;
      editor.getOriginalEditor().updateOptions({ ariaLabel: ofLeft });
      editor.getModifiedEditor().updateOptions({ ariaLabel: ofRight });
    };
    label();
    const labelling = editor.onDidUpdateDiff(label);
    const subscription = modified.onDidChangeContent(() =>
      latest.current.onChange?.(modified.getValue()),
    );
    return () => {
      labelling.dispose();
      subscription.dispose();
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [left, right]);
  return <div ref={host} className="sw-merge-view" data-testid="text-diff" />;
}
