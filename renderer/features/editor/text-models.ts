import { monaco } from './monaco-setup.ts';

/** The address of a draft's text model. */
export function modelUriOf(projectId: string, ref: string): string {
  return monaco.Uri.from({
    scheme: 'draft',
    authority: projectId.toLowerCase(),
    path: `/${ref}`,
  }).toString();
}

/** The model's text with its byte order mark and its own line ends. */
export function exactText(model: monaco.editor.ITextModel): string {
  return model.getValue(monaco.editor.EndOfLinePreference.TextDefined, true);
}

/** An editor has one kind of line end; a file with both kinds changes only when it is edited. */
function sameLines(a: string, b: string): boolean {
  return a === b || a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}

/** The text model of a draft, made with this text the first time; line ends stay as they are. */
export function modelFor(uri: string, text: string): monaco.editor.ITextModel {
  const address = monaco.Uri.parse(uri);
  const model = monaco.editor.getModel(address) ?? monaco.editor.createModel(text, 'yaml', address);
  if (!sameLines(exactText(model), text)) {
    replaceText(model, text);
  }
  return model;
}

/** Replaces the whole text as one edit that can be undone. */
export function replaceText(model: monaco.editor.ITextModel, text: string): void {
  if (sameLines(exactText(model), text)) {
    return;
  }
  model.pushStackElement();
  model.setEOL(
    text.includes('\r\n')
      ? monaco.editor.EndOfLineSequence.CRLF
      : monaco.editor.EndOfLineSequence.LF,
  );
  model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
  model.pushStackElement();
}
