/** The editor's own definition of YAML comes without types. */
declare module 'monaco-editor/languages/definitions/yaml/yaml' {
  import type { languages } from 'monaco-editor/editor/editor.api';

  export const conf: languages.LanguageConfiguration;
}
