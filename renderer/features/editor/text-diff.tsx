import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { EDITOR_OPTIONS, monaco, themeOf } from './monaco-setup.ts';

/** Two texts side by side; the right one can be edited when `onChange` is given. */
export function TextDiff(props: {
  readonly left: string;
  readonly right: string;
  readonly label: string;
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
      ariaLabel: latest.current.label,
    });
    editor.setModel({ original, modified });
    const subscription = modified.onDidChangeContent(() =>
      latest.current.onChange?.(modified.getValue()),
    );
    return () => {
      subscription.dispose();
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [left, right]);
  return <div ref={host} className="sw-merge-view" data-testid="text-diff" />;
}
