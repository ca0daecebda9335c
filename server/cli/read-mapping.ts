import { isObject, type JsonObject } from '../kernel/json.ts';
import { formatOfFile, parseWholeText } from '../spec/yaml/parse-yaml.ts';
import { CommandFailure } from './command-failure.ts';
import { readTextFile } from './read-text-file.ts';

/** A file of YAML or JSON that holds a mapping. @throws CommandFailure that says what it is instead */
export function readMapping(file: string): JsonObject {
  const { value, diagnostics } = parseWholeText(readTextFile(file), formatOfFile(file));
  if (isObject(value)) return value;
  throw new CommandFailure(`${file}: ${diagnostics[0]?.message ?? 'is no mapping.'}`);
}
