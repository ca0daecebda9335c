import { t } from '../../../preload/texts/t.ts';
import { toApiError } from '../../data/api-error.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import {
  type DraftPlace,
  draftOfModel,
  isOverlay,
  openOtherDrafts,
  placesAcross,
} from './across/name-places.ts';
import { askRename, type RenameWish } from './across/rename-request.ts';
import { registryOfModel } from './attached-registry.ts';
import { monaco } from './monaco-setup.ts';
import { askSpecWorker } from './spec-client.ts';
import type {
  CompletionItem,
  OutlineItem,
  SpecRequestName,
  SpecRequests,
  TextEdit,
  TextPlace,
  TextRange,
} from './spec-protocol.ts';
import { exactText } from './text-models.ts';

type Model = monaco.editor.ITextModel;
type Token = monaco.CancellationToken;

/** Asks unless the editor lost interest before its turn; then the answer is undefined. */
async function ask<Name extends SpecRequestName>(
  token: Token,
  name: Name,
  input: SpecRequests[Name]['input'],
): Promise<SpecRequests[Name]['output'] | undefined> {
  const lost = new AbortController();
  const watch = token.onCancellationRequested(() => lost.abort());
  try {
    const answer = await askSpecWorker(name, input, { signal: lost.signal });
    return token.isCancellationRequested ? undefined : answer;
  } finally {
    watch.dispose();
  }
}

function rangeOf(range: TextRange): monaco.IRange {
  return {
    startLineNumber: range.startLine,
    startColumn: range.startColumn,
    endLineNumber: range.endLine,
    endColumn: range.endColumn,
  };
}

function wholeOf(model: Model): { text: string; file: string } {
  return { text: exactText(model), file: model.uri.path };
}

/** A byte order mark counts in the text but not in the editor's offsets. */
function placeOf(model: Model, position: monaco.Position): TextPlace {
  const whole = wholeOf(model);
  const mark = whole.text.startsWith('\uFEFF') ? 1 : 0;
  return { ...whole, offset: model.getOffsetAt(position) + mark };
}

function checkedPlace(model: Model, position: monaco.Position): SpecRequests['hover']['input'] {
  return { ...placeOf(model, position), registry: registryOfModel(model.uri.authority) };
}

function workspaceEdits(
  model: Model,
  edits: readonly TextEdit[],
): monaco.languages.IWorkspaceTextEdit[] {
  return edits.map((edit) => ({
    resource: model.uri,
    versionId: model.getVersionId(),
    textEdit: { range: rangeOf(edit.range), text: edit.text },
  }));
}

const COMPLETION_KINDS = {
  key: monaco.languages.CompletionItemKind.Property,
  value: monaco.languages.CompletionItemKind.EnumMember,
  name: monaco.languages.CompletionItemKind.Reference,
  part: monaco.languages.CompletionItemKind.Snippet,
} as const;

function suggestion(item: CompletionItem, index: number): monaco.languages.CompletionItem {
  const asks = item.kind === 'key' && !item.snippet;
  return {
    label: item.label,
    kind: COMPLETION_KINDS[item.kind],
    detail: item.detail,
    documentation: { value: item.documentation },
    insertText: item.insertText,
    range: rangeOf(item.range),
    sortText: `${item.required ? 0 : 1}${String(index).padStart(4, '0')}`,
    ...(item.snippet
      ? { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet }
      : {}),
    ...(asks
      ? { command: { id: 'editor.action.triggerSuggest', title: t('Suggest the value') } }
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
  triggerCharacters: [' ', ':', '-', '[', ',', '{', '"'],
  async provideCompletionItems(model, position, _context, token) {
    const items = await ask(token, 'complete', checkedPlace(model, position));
    return items === undefined ? null : { suggestions: items.map(suggestion) };
  },
};

const HOVERS: monaco.languages.HoverProvider = {
  async provideHover(model, position, token) {
    const answer = await ask(token, 'hover', checkedPlace(model, position));
    return answer === null || answer === undefined
      ? null
      : { contents: [{ value: answer.markdown }], range: rangeOf(answer.range) };
  },
};

/** Places in all drafts; undefined where the others cannot be read, so that the own text answers. */
async function acrossOrNone(
  token: Token,
  question: Parameters<typeof placesAcross>[0],
  place: DraftPlace,
): Promise<monaco.languages.Location[] | undefined> {
  try {
    const found = await placesAcross(question, place);
    return token.isCancellationRequested || found.length === 0 ? undefined : found;
  } catch (error) {
    const { message } = toApiError(error);
    writeOutput({
      level: 'error',
      message: t('Other drafts were not searched: {message}', { message }),
    });
    return undefined;
  }
}

const DEFINITIONS: monaco.languages.DefinitionProvider = {
  async provideDefinition(model, position, token) {
    const place = placeOf(model, position);
    const draft = draftOfModel(model.uri);
    const range = await ask(token, 'definition', place);
    if (draft !== undefined && (range === null || isOverlay(draft))) {
      const found = await acrossOrNone(token, 'definition_across', { ...draft, ...place });
      if (found !== undefined) return found;
    }
    return range === null || range === undefined ? null : { uri: model.uri, range: rangeOf(range) };
  },
};

const REFERENCES: monaco.languages.ReferenceProvider = {
  async provideReferences(model, position, _context, token) {
    const place = placeOf(model, position);
    const draft = draftOfModel(model.uri);
    if (draft !== undefined) {
      const found = await acrossOrNone(token, 'references_across', { ...draft, ...place });
      if (found !== undefined) return found;
    }
    const ranges = await ask(token, 'references', place);
    return (ranges ?? []).map((range) => ({ uri: model.uri, range: rangeOf(range) }));
  },
};

const HIGHLIGHTS: monaco.languages.DocumentHighlightProvider = {
  async provideDocumentHighlights(model, position, token) {
    const ranges = await ask(token, 'references', placeOf(model, position));
    return (ranges ?? []).map((range) => ({
      range: rangeOf(range),
      kind: monaco.languages.DocumentHighlightKind.Text,
    }));
  },
};

/** Says something beside a place; the editor itself would write it to the console only. */
function sayAt(model: Model, position: monaco.Position, message: string): void {
  const editor = monaco.editor.getEditors().find((one) => one.getModel() === model);
  const messages = editor?.getContribution('editor.contrib.messageController');
  if (messages && 'showMessage' in messages && typeof messages.showMessage === 'function') {
    messages.showMessage(message, position);
  }
}

const NO_RENAME = t('Only names of agents, steps, tools and other components can be renamed.');

/** A rename that other drafts are part of is asked for in a dialog; one that cannot be looked at is refused. */
async function renameInDrafts(
  wish: RenameWish,
): Promise<'asked' | 'alone' | { readonly problem: string }> {
  try {
    return await askRename(wish);
  } catch {
    return { problem: t('The other drafts cannot be read now, so nothing was renamed.') };
  }
}

const RENAMES: monaco.languages.RenameProvider = {
  async resolveRenameLocation(model, position, token) {
    const target = await ask(token, 'rename_target', placeOf(model, position));
    return target === null || target === undefined
      ? {
          range: new monaco.Range(position.lineNumber, 1, position.lineNumber, 1),
          text: '',
          rejectReason: NO_RENAME,
        }
      : { range: rangeOf(target.range), text: target.name };
  },
  async provideRenameEdits(model, position, name, token) {
    const place = placeOf(model, position);
    const draft = draftOfModel(model.uri);
    const asked = draft && (await renameInDrafts({ ...draft, ...place, name }));
    if (asked === 'asked') return { edits: [] };
    if (typeof asked === 'object') {
      sayAt(model, position, asked.problem);
      return { edits: [] };
    }
    const outcome = await ask(token, 'rename', { ...place, name });
    if (outcome === undefined) return { edits: [] };
    if ('edits' in outcome) return { edits: workspaceEdits(model, outcome.edits) };
    sayAt(model, position, outcome.problem);
    return { edits: [] };
  },
};

const SYMBOLS: monaco.languages.DocumentSymbolProvider = {
  displayName: t('Specwright'),
  async provideDocumentSymbols(model, token) {
    const items = await ask(token, 'outline', wholeOf(model));
    return items?.map(symbol) ?? null;
  },
};

const FOLDS: monaco.languages.FoldingRangeProvider = {
  async provideFoldingRanges(model, _context, token) {
    const folds = await ask(token, 'folds', wholeOf(model));
    return (
      folds?.map(({ start, end, kind }) => ({
        start,
        end,
        ...(kind === 'comment' ? { kind: monaco.languages.FoldingRangeKind.Comment } : {}),
      })) ?? null
    );
  },
};

const FIXES: monaco.languages.CodeActionProvider = {
  async provideCodeActions(model, range, context, token) {
    const none = { actions: [], dispose: () => undefined };
    if (context.markers.length === 0) return none;
    const fixes = await ask(token, 'fixes', {
      ...wholeOf(model),
      from: range.startLineNumber,
      to: range.endLineNumber,
    });
    if (fixes === undefined) return none;
    const actions = fixes.map((fix) => ({
      title: fix.title,
      kind: 'quickfix',
      isPreferred: fix.preferred,
      diagnostics: context.markers.filter(
        ({ code, startLineNumber, startColumn }) =>
          code === fix.code &&
          startLineNumber === fix.at.startLine &&
          startColumn === fix.at.startColumn,
      ),
      edit: { edits: workspaceEdits(model, fix.edits) },
    }));
    return { ...none, actions };
  },
};

const FORMATS: monaco.languages.DocumentFormattingEditProvider = {
  displayName: t('Specwright'),
  async provideDocumentFormattingEdits(model, _options, token) {
    const text = await ask(token, 'format', wholeOf(model));
    if (text === undefined || text === exactText(model)) return [];
    return [{ range: model.getFullModelRange(), text }];
  },
};

const LANGUAGE = 'yaml';

/** The spec language in the editor: every answer comes from the pure compiler's worker. */
export function registerSpecLanguage(): void {
  const { languages } = monaco;
  openOtherDrafts();
  languages.registerCompletionItemProvider(LANGUAGE, COMPLETIONS);
  languages.registerHoverProvider(LANGUAGE, HOVERS);
  languages.registerDefinitionProvider(LANGUAGE, DEFINITIONS);
  languages.registerReferenceProvider(LANGUAGE, REFERENCES);
  languages.registerDocumentHighlightProvider(LANGUAGE, HIGHLIGHTS);
  languages.registerRenameProvider(LANGUAGE, RENAMES);
  languages.registerDocumentSymbolProvider(LANGUAGE, SYMBOLS);
  languages.registerFoldingRangeProvider(LANGUAGE, FOLDS);
  languages.registerCodeActionProvider(LANGUAGE, FIXES, { providedCodeActionKinds: ['quickfix'] });
  languages.registerDocumentFormattingEditProvider(LANGUAGE, FORMATS);
}
