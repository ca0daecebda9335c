import { useEffect, useRef } from 'react';
import { WINDOW_PART } from '../../app/window-parts.ts';
import type { Problem } from '../../workbench/editor-status.ts';
import { registerSpecLanguage } from './language-providers.ts';
import { EDITOR_OPTIONS, monaco } from './monaco-setup.ts';
import type { LineMark } from './run/run-progress.ts';
import type { RangedDiagnostic, TextEdit, TextRange } from './spec-protocol.ts';
import { exactText, modelFor, replaceText } from './text-models.ts';
import { useEditorTheme } from './use-editor-theme.ts';
import { keepView, readView } from './view-store.ts';

/** What a page does with the open editor. */
export interface EditorHandle {
  /** Replaces the whole text as one undoable edit. */
  setText(text: string): void;
  /** Goes to a place; with `focus` false the keyboard stays where it is. */
  reveal(range: TextRange, focus?: boolean): void;
  /** The text as it is now. */
  text(): string;
  /** Makes edits of this very text as one step that can be undone; false when it is another one now. */
  edit(text: string, edits: readonly TextEdit[]): boolean;
  /** Takes the last change back, or makes it again. */
  history(step: 'undo' | 'redo'): void;
  highlight(range: TextRange | null): void;
  focus(): void;
  format(): void;
  /** Shows beside the lines how far a run has come; an empty list takes the column away. */
  mark(marks: readonly LineMark[]): void;
  /** Opens the list of symbols, or goes to the next problem. */
  run(action: keyof typeof ACTIONS): void;
}

export interface SpecEditorProps {
  readonly modelUri: string;
  readonly initialText: string;
  readonly readOnly: boolean;
  readonly label: string;
  readonly diagnostics: readonly RangedDiagnostic[];
  readonly platformProblems: readonly Problem[];
  /** The text as it was opened. */
  readonly onOpen: (text: string, version: number) => void;
  readonly onChange: (text: string, version: number) => void;
  readonly onCursor: (line: number, column: number) => void;
  readonly onReady: (handle: EditorHandle) => void;
}

const ACTIONS = {
  symbol: 'editor.action.quickOutline',
  problem: 'editor.action.marker.next',
} as const;

registerSpecLanguage();

const SEVERITY = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  info: monaco.MarkerSeverity.Info,
} as const;

function monacoRange(range: TextRange): monaco.IRange {
  return {
    startLineNumber: range.startLine,
    startColumn: range.startColumn,
    endLineNumber: range.endLine,
    endColumn: range.endColumn,
  };
}

function markersOf(diagnostics: readonly RangedDiagnostic[]): monaco.editor.IMarkerData[] {
  return diagnostics.map((item) => ({
    ...monacoRange(item.range ?? { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 }),
    severity: SEVERITY[item.severity],
    message: item.suggestion === null ? item.message : `${item.message}\n${item.suggestion}`,
    code: item.code,
    source: 'specwright',
  }));
}

function platformMarkers(problems: readonly Problem[]): monaco.editor.IMarkerData[] {
  return problems.map((item) => ({
    startLineNumber: item.line ?? 1,
    startColumn: item.column ?? 1,
    endLineNumber: item.line ?? 1,
    endColumn: 200,
    severity: SEVERITY[item.severity],
    message: item.message,
    code: item.code,
    source: 'platform',
  }));
}

function createHandle(editor: monaco.editor.IStandaloneCodeEditor): EditorHandle {
  const decorations = editor.createDecorationsCollection();
  const runMarks = editor.createDecorationsCollection();
  return {
    mark(marks) {
      editor.updateOptions({ glyphMargin: marks.length > 0 });
      runMarks.set(
        marks.map(({ line, state, text }) => ({
          range: new monaco.Range(line, 1, line, 1),
          options: {
            glyphMarginClassName: `sw-run-mark sw-run-mark-${state}`,
            glyphMarginHoverMessage: { value: text },
          },
        })),
      );
    },
    setText(text) {
      const model = editor.getModel();
      if (model !== null) {
        replaceText(model, text);
      }
    },
    reveal(range, focus = true) {
      editor.setPosition({ lineNumber: range.startLine, column: range.startColumn });
      editor.revealRangeInCenterIfOutsideViewport(monacoRange(range));
      if (focus) editor.focus();
    },
    text() {
      const model = editor.getModel();
      return model === null ? '' : exactText(model);
    },
    edit(text, edits) {
      const model = editor.getModel();
      if (model === null || exactText(model) !== text) return false;
      editor.pushUndoStop();
      const made = editor.executeEdits(
        'graph',
        edits.map((edit) => ({ range: monacoRange(edit.range), text: edit.text })),
      );
      editor.pushUndoStop();
      return made;
    },
    history(step) {
      // While a text field has the keyboard, the editor's own command would undo in that field.
      const field = document.activeElement;
      editor.focus();
      editor.trigger('graph', step, null);
      if (field instanceof HTMLElement) field.focus({ preventScroll: true });
    },
    highlight(range) {
      decorations.set(
        range === null
          ? []
          : [
              {
                range: monacoRange(range),
                options: { isWholeLine: true, className: 'sw-node-lines' },
              },
            ],
      );
    },
    focus: () => editor.focus(),
    run(action) {
      editor.focus();
      void editor.getAction(ACTIONS[action])?.run();
    },
    format: () => void editor.getAction('editor.action.formatDocument')?.run(),
  };
}

/** The text of a draft. The model, with its undo history, outlives the component. */
export function SpecEditor(props: SpecEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEditorTheme();
  useEffect(() => {
    if (host.current === null) {
      return undefined;
    }
    const { modelUri, initialText, label } = latest.current;
    const model = modelFor(modelUri, initialText);
    const editor = monaco.editor.create(host.current, {
      ...EDITOR_OPTIONS,
      model,
      ariaLabel: label,
      readOnly: latest.current.readOnly,
    });
    // Colours for nested brackets would tell nothing in flow mappings.
    model.updateOptions({
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    });
    const subscriptions = [
      model.onDidChangeContent(() =>
        latest.current.onChange(exactText(model), model.getVersionId()),
      ),
      editor.onDidChangeCursorPosition(({ position }) =>
        latest.current.onCursor(position.lineNumber, position.column),
      ),
    ];
    const before = readView(modelUri);
    if (before !== undefined) editor.restoreViewState(before);
    const keep = (leaving: boolean): void => {
      const left = editor.saveViewState();
      if (left !== null) keepView(modelUri, left, leaving);
    };
    const onLeave = (): void => keep(true);
    window.addEventListener('pagehide', onLeave);
    latest.current.onReady(createHandle(editor));
    latest.current.onOpen(exactText(model), model.getVersionId());
    return () => {
      for (const subscription of subscriptions) {
        subscription.dispose();
      }
      window.removeEventListener('pagehide', onLeave);
      keep(false);
      editor.dispose();
    };
  }, []);
  const { diagnostics, platformProblems, modelUri } = props;
  useEffect(() => {
    const model = monaco.editor.getModel(monaco.Uri.parse(modelUri));
    if (model !== null) {
      monaco.editor.setModelMarkers(model, 'specwright', markersOf(diagnostics));
      monaco.editor.setModelMarkers(model, 'platform', platformMarkers(platformProblems));
    }
  }, [diagnostics, platformProblems, modelUri]);
  return <div ref={host} className="sw-editor-host" {...WINDOW_PART} data-testid="editor" />;
}
