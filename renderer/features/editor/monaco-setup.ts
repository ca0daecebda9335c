import * as monaco from 'monaco-editor/editor/editor.api';
import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/yaml/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { conf as yaml } from 'monaco-editor/languages/definitions/yaml/yaml';
import { prefersStill } from '../../ui/prefers-still.ts';
import { ENTER_RULES } from './enter-rules.ts';

declare global {
  interface Window {
    MonacoEnvironment?: { getWorker(): Worker };
  }
}

// Changed here, before the editor registers it: rules that are registered apart would replace these.
yaml.onEnterRules = [
  ...ENTER_RULES.map(({ before, add }) => ({
    beforeText: before,
    action: { indentAction: monaco.languages.IndentAction.None, appendText: add },
  })),
  ...(yaml.onEnterRules ?? []),
];

window.MonacoEnvironment = { getWorker: () => new EditorWorker() };

const rule = (
  token: string,
  foreground: string,
  fontStyle = '',
): monaco.editor.ITokenThemeRule => ({
  token,
  foreground,
  fontStyle,
});

monaco.editor.defineTheme('specwright-light', {
  base: 'vs',
  inherit: true,
  rules: [
    rule('type', '3640B0'),
    rule('string', '1F6B45'),
    rule('string.yaml', '1F6B45'),
    rule('number', '9A3E00'),
    rule('keyword', '9A3E00'),
    rule('comment', '565D69', 'italic'),
  ],
  colors: {
    'editor.background': '#ffffff',
    'editor.foreground': '#1a1d23',
    'editorLineNumber.foreground': '#616976',
    'editorLineNumber.activeForeground': '#1a1d23',
    'editor.lineHighlightBackground': '#f4f5f7',
    'editorIndentGuide.background1': '#e6e8ec',
    'editorCursor.foreground': '#4650c4',
    'editor.selectionBackground': '#d5d9fb',
    'editorWidget.background': '#ffffff',
    'editorWidget.border': '#c5cad3',
    'editorActionList.background': '#ffffff',
    'editorActionList.foreground': '#1a1d23',
    'editorActionList.focusBackground': '#e6e8fc',
    'editorActionList.focusForeground': '#1a1d23',
    'editor.wordHighlightTextBackground': '#4650c426',
    'diffEditor.removedLineBackground': '#e5534b14',
    'diffEditor.removedTextBackground': '#e5534b22',
    'diffEditor.insertedLineBackground': '#2da44e14',
    'diffEditor.insertedTextBackground': '#2da44e26',
    focusBorder: '#4650c4',
  },
});

monaco.editor.defineTheme('specwright-dark', {
  base: 'vs-dark',
  inherit: true,
  rules: [
    rule('type', 'A6AEFF'),
    rule('string', '8FD6AC'),
    rule('string.yaml', '8FD6AC'),
    rule('number', 'F0B27A'),
    rule('keyword', 'F0B27A'),
    rule('comment', 'A3AAB6', 'italic'),
  ],
  colors: {
    'editor.background': '#15181d',
    'editor.foreground': '#e3e6eb',
    'editorLineNumber.foreground': '#8f97a4',
    'editorLineNumber.activeForeground': '#e3e6eb',
    'editor.lineHighlightBackground': '#1b1f26',
    'editorIndentGuide.background1': '#272c35',
    'editorCursor.foreground': '#98a2ff',
    'editor.selectionBackground': '#333a6e',
    'editorWidget.background': '#1b1f26',
    'editorWidget.border': '#3b424e',
    'editorActionList.background': '#1b1f26',
    'editorActionList.foreground': '#e3e6eb',
    'editorActionList.focusBackground': '#2c3256',
    'editorActionList.focusForeground': '#e3e6eb',
    'editor.wordHighlightTextBackground': '#98a2ff33',
    'diffEditor.removedLineBackground': '#f8514918',
    'diffEditor.removedTextBackground': '#f8514933',
    'diffEditor.insertedLineBackground': '#3fb95018',
    'diffEditor.insertedTextBackground': '#3fb95033',
    focusBorder: '#98a2ff',
  },
});

/** Options that every editor of the window shares. */
export const EDITOR_OPTIONS = {
  automaticLayout: true,
  // The window chooses the theme: `useEditorTheme`.
  autoDetectHighContrast: false,
  fontFamily: 'JetBrains Mono, Cascadia Code, SF Mono, Menlo, DejaVu Sans Mono, monospace',
  fontSize: 13,
  lineHeight: 20,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  get smoothScrolling() {
    return !prefersStill();
  },
  renderFinalNewline: 'on',
  renderWhitespace: 'selection',
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: false,
  fixedOverflowWidgets: true,
  padding: { top: 8, bottom: 8 },
  stickyScroll: { enabled: true },
  bracketPairColorization: { enabled: false },
  guides: { indentation: true },
  unicodeHighlight: { ambiguousCharacters: false },
  wordBasedSuggestions: 'off',
  // A scalar is a string to the colouring; its values are worth offering too.
  acceptSuggestionOnEnter: 'smart',
  quickSuggestions: { other: true, strings: true, comments: false },
} as const satisfies monaco.editor.IEditorOptions & monaco.editor.IGlobalEditorOptions;

export { monaco };
