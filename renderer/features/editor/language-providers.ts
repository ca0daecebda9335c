import { monaco } from './monaco-setup.ts';
import { askSpecWorker } from './spec-client.ts';
import type { CompletionItem, OutlineItem, TextPlace, TextRange } from './spec-protocol.ts';
import { exactText } from './text-models.ts';

type Model = monaco.editor.ITextModel;

function rangeOf(range: TextRange): monaco.IRange {
  return {
    startLineNumber: range.startLine,
    startColumn: range.startColumn,
    endLineNumber: range.endLine,
    endColumn: range.endColumn,
  };
}

function placeOf(model: Model, position: monaco.Position): TextPlace {
  return {
    text: exactText(model),
    file: model.uri.path,
    offset: model.getOffsetAt(position),
  };
}

const COMPLETION_KINDS = {
  key: monaco.languages.CompletionItemKind.Property,
  value: monaco.languages.CompletionItemKind.EnumMember,
  name: monaco.languages.CompletionItemKind.Reference,
} as const;

function suggestion(item: CompletionItem, index: number): monaco.languages.CompletionItem {
  return {
    label: item.label,
    kind: COMPLETION_KINDS[item.kind],
    detail: item.required ? `${item.detail}, required` : item.detail,
    documentation: { value: item.documentation },
    insertText: item.insertText,
    range: rangeOf(item.range),
    sortText: `${item.required ? 0 : 1}${String(index).padStart(4, '0')}`,
    ...(item.kind === 'key'
      ? { command: { id: 'editor.action.triggerSuggest', title: 'Suggest the value' } }
      : {}),
  };
}

const SYMBOL_KINDS: Readonly<Record<string, monaco.languages.SymbolKind>> = {
  section: monaco.languages.SymbolKind.Namespace,
  agent: monaco.languages.SymbolKind.Class,
  workflow: monaco.languages.SymbolKind.Module,
  step: monaco.languages.SymbolKind.Function,
  edge: monaco.languages.SymbolKind.Event,
  part: monaco.languages.SymbolKind.Object,
  value: monaco.languages.SymbolKind.Property,
};

function symbol(item: OutlineItem): monaco.languages.DocumentSymbol {
  return {
    name: item.name,
    detail: item.detail,
    kind: SYMBOL_KINDS[item.kind] ?? monaco.languages.SymbolKind.Property,
    tags: [],
    range: rangeOf(item.range),
    selectionRange: rangeOf(item.selection),
    children: item.children.map(symbol),
  };
}

const COMPLETIONS: monaco.languages.CompletionItemProvider = {
  triggerCharacters: [' ', ':', '-', '[', ',', '{'],
  async provideCompletionItems(model, position) {
    const items = await askSpecWorker('complete', placeOf(model, position));
    return { suggestions: items.map(suggestion) };
  },
};

const HOVERS: monaco.languages.HoverProvider = {
  async provideHover(model, position) {
    const answer = await askSpecWorker('hover', placeOf(model, position));
    return answer === null
      ? null
      : { contents: [{ value: answer.markdown }], range: rangeOf(answer.range) };
  },
};

const DEFINITIONS: monaco.languages.DefinitionProvider = {
  async provideDefinition(model, position) {
    const range = await askSpecWorker('definition', placeOf(model, position));
    return range === null ? null : { uri: model.uri, range: rangeOf(range) };
  },
};

const REFERENCES: monaco.languages.ReferenceProvider = {
  async provideReferences(model, position) {
    const ranges = await askSpecWorker('references', placeOf(model, position));
    return ranges.map((range) => ({ uri: model.uri, range: rangeOf(range) }));
  },
};

const NO_RENAME = 'Only names of agents, steps, tools and other components can be renamed.';

const RENAMES: monaco.languages.RenameProvider = {
  async resolveRenameLocation(model, position) {
    const target = await askSpecWorker('rename_target', placeOf(model, position));
    return target === null
      ? {
          range: new monaco.Range(position.lineNumber, 1, position.lineNumber, 1),
          text: '',
          rejectReason: NO_RENAME,
        }
      : { range: rangeOf(target.range), text: target.name };
  },
  async provideRenameEdits(model, position, name) {
    const edits = await askSpecWorker('rename', { ...placeOf(model, position), name });
    return edits.length === 0
      ? { edits: [], rejectReason: 'The name is empty, unchanged or already in use.' }
      : {
          edits: edits.map((edit) => ({
            resource: model.uri,
            versionId: model.getVersionId(),
            textEdit: { range: rangeOf(edit.range), text: edit.text },
          })),
        };
  },
};

const SYMBOLS: monaco.languages.DocumentSymbolProvider = {
  async provideDocumentSymbols(model) {
    const items = await askSpecWorker('outline', { text: exactText(model), file: model.uri.path });
    return items.map(symbol);
  },
};

const FORMATS: monaco.languages.DocumentFormattingEditProvider = {
  async provideDocumentFormattingEdits(model) {
    const text = await askSpecWorker('format', { text: exactText(model), file: model.uri.path });
    return text === exactText(model) ? [] : [{ range: model.getFullModelRange(), text }];
  },
};

const LANGUAGE = 'yaml';

/** The spec language in the editor: every answer comes from the pure compiler's worker. */
export function registerSpecLanguage(): void {
  const { languages } = monaco;
  languages.registerCompletionItemProvider(LANGUAGE, COMPLETIONS);
  languages.registerHoverProvider(LANGUAGE, HOVERS);
  languages.registerDefinitionProvider(LANGUAGE, DEFINITIONS);
  languages.registerReferenceProvider(LANGUAGE, REFERENCES);
  languages.registerRenameProvider(LANGUAGE, RENAMES);
  languages.registerDocumentSymbolProvider(LANGUAGE, SYMBOLS);
  languages.registerDocumentFormattingEditProvider(LANGUAGE, FORMATS);
}
