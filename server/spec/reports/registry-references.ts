import { isJsonObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { copyObject } from '../values/copy-json.ts';
import type { Path, PathSegment } from '../values/path.ts';
import { type Shape, SPEC_SHAPE } from './privilege-shapes.ts';
import { registryName } from './privileges.ts';

/** A `{"$registry": name}` at a place that the capability gate fills in. */
export interface RegistryReference {
  readonly path: Path;
  readonly name: string;
}

/** The shape below a segment; a class goes for everything below it. */
function below(shape: Shape, segment: PathSegment): Shape | undefined {
  if (shape.kind === 'class') return shape;
  if (shape.kind === 'list') return typeof segment === 'number' ? shape.of : undefined;
  if (shape.kind === 'map') return shape.of;
  if (shape.kind !== 'object' && shape.kind !== 'open') return undefined;
  return Object.hasOwn(shape.fields, segment) ? shape.fields[segment] : undefined;
}

function isFilled(shape: Shape | undefined): boolean {
  return shape?.kind === 'class' && shape.of === 'execute';
}

/** True where an entry of a registry may stand for the value: code and commands (studio.md 9.2). */
export function mayNameRegistry(path: Path): boolean {
  let shape: Shape | undefined = SPEC_SHAPE;
  for (const segment of path) shape = shape && below(shape, segment);
  return isFilled(shape);
}

type Visit = (reference: RegistryReference, holder: Json[] | JsonObject) => void;

function visitReferences(value: Json[] | JsonObject, shape: Shape, path: Path, visit: Visit): void {
  const list = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const segment = list ? Number(key) : key;
    const next = below(shape, segment);
    if (next === undefined || !(Array.isArray(item) || isJsonObject(item))) continue;
    const at = [...path, segment];
    const name = isFilled(next) ? registryName(item) : undefined;
    if (name === undefined) visitReferences(item, next, at, visit);
    else visit({ path: at, name }, value);
  }
}

/** Where a document names entries of a registry, in its own order. */
export function registryReferences(document: JsonObject): RegistryReference[] {
  const found: RegistryReference[] = [];
  visitReferences(document, SPEC_SHAPE, [], (reference) => found.push(reference));
  return found;
}

/** What stands for an entry whose value is not known: a text, or a list where only a list may stand. */
function standIn({ path, name }: RegistryReference): Json {
  const text = `registry.${name}`;
  return path.length === 3 && path.at(-1) === 'args' ? [text] : text;
}

/** The document as a check may read it: each reference is replaced by a value of the right kind. */
export function withoutReferences(document: JsonObject): JsonObject {
  const made = copyObject(document);
  visitReferences(made, SPEC_SHAPE, [], (reference, holder) => {
    const last = reference.path.at(-1);
    if (Array.isArray(holder)) holder[Number(last)] = standIn(reference);
    else setOwn(holder, String(last), standIn(reference));
  });
  return made;
}
