import { z } from 'zod';
import { flowSettings, flowStep } from '../../../contract/flow.ts';
import { N8N_STEP_TYPES } from '../../../items/n8n-types.ts';
import type { SettingKind, StepSetting } from '../../../items/settings/setting.ts';
import { settingsOfStep } from '../../../items/settings/step-settings.ts';
import type { FieldHelp } from '../../schema/field-help.ts';
import type { Path, PathSegment } from '../../values/path.ts';
import { entryOf, resolved, type SourceNode } from '../../yaml/source-map.ts';
import { textAt } from '../locate.ts';

type Fields = Readonly<Record<string, FieldHelp>>;

/** What an imported flow says of a place: the keys of its mapping, or the field whose value it is. */
export interface FlowSpot {
  readonly fields?: Fields;
  readonly field?: FieldHelp;
  /** The last key of the place. */
  readonly key: string;
  /** The step or tool that the place belongs to, in the words of its source. */
  readonly about?: string;
}

const JsonField = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
});
const JsonFields = z.object({
  properties: z.record(z.string(), JsonField),
  required: z.array(z.string()).default([]),
});

const TYPES: Readonly<Record<string, FieldHelp['type']>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
};

/** The fields of a schema as an editor tells them. */
function fieldsOf(schema: z.ZodType): Fields {
  const { properties, required } = JsonFields.parse(z.toJSONSchema(schema, { io: 'input' }));
  return Object.fromEntries(
    Object.entries(properties).map(([key, one]): [string, FieldHelp] => {
      const { enum: values } = one;
      return [
        key,
        {
          type: TYPES[one.type ?? ''] ?? 'any',
          help: one.description ?? '',
          ...(required.includes(key) ? { required: true as const } : {}),
          ...(values === undefined ? {} : { values }),
          ...(one.type === 'array' ? { holds: 'list' as const } : {}),
        },
      ];
    }),
  );
}

const FLOW = fieldsOf(flowSettings);
const STEP: Fields = {
  ...fieldsOf(flowStep),
  type: {
    ...(fieldsOf(flowStep)['type'] ?? { type: 'text', help: '' }),
    values: Object.keys(N8N_STEP_TYPES),
    others: true,
  },
};
const RETRY = fieldsOf(flowStep.shape.retry.unwrap());
const INPUT = fieldsOf(flowStep.shape.inputs.unwrap().element.element);

const KINDS: Readonly<Record<SettingKind, FieldHelp['type']>> = {
  ...{ text: 'text', number: 'number', boolean: 'boolean', choice: 'text' },
  ...{ code: 'text', json: 'text', list: 'any', map: 'object' },
};

function settingField({ kind, help, values, standard, when }: StepSetting): FieldHelp {
  const read = when === undefined ? '' : ` Read where ${when}.`;
  return {
    type: KINDS[kind],
    help: `${help}${read}`,
    others: true,
    ...(values === undefined ? {} : { values }),
    ...(standard === undefined ? {} : { standard }),
  };
}

/** The texts of the mapping at a place. */
function textsOf(node: SourceNode | undefined): Record<string, string> {
  const target = node && resolved(node);
  if (target?.kind !== 'map') return {};
  return Object.fromEntries(
    target.entries.flatMap(({ key }) => {
      const text = textAt(target, key);
      return text === undefined ? [] : [[key, text]];
    }),
  );
}

function numberAt(node: SourceNode, key: string): number | undefined {
  const value = entryOf(node, key)?.value;
  const target = value && resolved(value);
  return target?.kind === 'scalar' && typeof target.value === 'number' ? target.value : undefined;
}

function settingFields(step: SourceNode): Fields | undefined {
  const settings = settingsOfStep({
    type: textAt(step, 'type') ?? '',
    version: numberAt(step, 'version') ?? 1,
    parameters: textsOf(entryOf(step, 'parameters')?.value),
  });
  return (
    settings &&
    Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, settingField(one)]))
  );
}

function nodeAt(root: SourceNode | undefined, path: Path): SourceNode | undefined {
  let node = root;
  for (const segment of path) {
    const target: ReturnType<typeof resolved> | undefined = node && resolved(node);
    if (target === undefined) return undefined;
    node =
      target.kind === 'list'
        ? target.items[Number(segment)]
        : entryOf(target, String(segment))?.value;
  }
  return node;
}

/** The keys of the steps of the draft's graph. */
function graphSteps(root: SourceNode | undefined): string[] {
  const nodes = nodeAt(root, ['workflow', 'nodes']);
  const target = nodes && resolved(nodes);
  return target?.kind === 'map' ? target.entries.map(({ key }) => key) : [];
}

function named(names: readonly string[], help: string): Fields {
  const field: FieldHelp = { type: 'object', help };
  return Object.fromEntries(names.map((name) => [name, field]));
}

/** The entry of a step or tool that a place stands in, and the rest of the place. */
function entryAt(path: Path): { readonly entry: Path; readonly rest: Path } | undefined {
  const [first, second, third] = path;
  if (first !== 'metadata') return undefined;
  if (second === 'flow' && third === 'steps' && path.length > 3) {
    return { entry: path.slice(0, 4), rest: path.slice(4) };
  }
  return second === 'tools' && path.length > 2
    ? { entry: path.slice(0, 3), rest: path.slice(3) }
    : undefined;
}

function fieldsInStep(
  root: SourceNode | undefined,
  step: SourceNode | undefined,
  rest: Path,
): Fields | undefined {
  const [first] = rest;
  if (first === undefined) return STEP;
  if (first === 'parameters' && rest.length === 1) return step && settingFields(step);
  if (first === 'retry' && rest.length === 1) return RETRY;
  if (first !== 'inputs' || rest.length !== 3) return undefined;
  const feeder: FieldHelp = { type: 'text', help: INPUT['step']?.help ?? '', required: true };
  return { ...INPUT, step: { ...feeder, values: graphSteps(root), others: true } };
}

/** The keys that the mapping at a place may have. */
function fieldsAt(root: SourceNode | undefined, path: Path): Fields | undefined {
  const place = entryAt(path);
  if (place !== undefined) {
    return fieldsInStep(root, nodeAt(root, place.entry), place.rest);
  }
  const isFlow = path[0] === 'metadata' && path[1] === 'flow';
  if (isFlow && path.length === 2) return FLOW;
  const isSteps = isFlow && path.length === 3 && path[2] === 'steps';
  return isSteps ? named(graphSteps(root), 'What the step is in its source.') : undefined;
}

function aboutOf(root: SourceNode | undefined, path: Path): string | undefined {
  const place = entryAt(path);
  const node = place && nodeAt(root, place.entry);
  const name = textAt(node, 'name');
  const type = textAt(node, 'type');
  if (node === undefined || name === undefined || type === undefined) return undefined;
  const version = numberAt(node, 'version');
  const said = version === undefined ? '' : `, version ${version}`;
  return `In the source: "${name}" (${type}${said}).`;
}

/** What an imported flow has to say of a place of a draft; undefined outside of `metadata.flow` and `metadata.tools`. */
export function flowSpotAt(root: SourceNode | undefined, path: Path): FlowSpot | undefined {
  const fields = fieldsAt(root, path);
  const last: PathSegment | undefined = path.at(-1);
  const key = typeof last === 'string' ? last : '';
  const above = fieldsAt(root, path.slice(0, -1));
  const field = above !== undefined && Object.hasOwn(above, key) ? above[key] : undefined;
  if (fields === undefined && field === undefined) return undefined;
  const about = aboutOf(root, path);
  return {
    key,
    ...(fields === undefined ? {} : { fields }),
    ...(field === undefined ? {} : { field }),
    ...(about === undefined ? {} : { about }),
  };
}
