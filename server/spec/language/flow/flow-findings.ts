import { builtInName, flowSettings, toolSettings } from '../../../contract/flow.ts';
import { N8N_STEP_TYPES } from '../../../items/n8n-types.ts';
import { settingsOfStep } from '../../../items/settings/step-settings.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { warning } from '../../rules/finding.ts';
import { type PlacedDiagnostic, placeFinding } from '../../rules/validate.ts';
import type { Advice, Finding } from '../../values/diagnostic.ts';
import { meant, nearestName } from '../../values/nearest.ts';
import { formatPath, type Path } from '../../values/path.ts';
import type { ParsedDocument } from '../../yaml/parse-yaml.ts';
import { expressionsIn, faultOf, referencesIn } from './expressions.ts';
import { outputsOf } from './step-outputs.ts';

const HANDLERS: readonly string[] = Object.keys(N8N_STEP_TYPES).map(builtInName);
const BUILT_IN = /^n8n\./;
const OUTPUT = /^output_(\d{1,4})$/;
const CODE: ReadonlySet<string> = new Set(['jsCode', 'functionCode']);
const LONGEST_MEND = 400;

function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  let at: Json | undefined = value;
  for (const key of path) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return isJsonObject(at) ? at : {};
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value that was meant; the language does not know the field, so that the fix says that it is no key. */
function meantValue(value: string, known: readonly string[]): Advice | null {
  const to = nearestName(value, known);
  if (to === undefined) return null;
  return { text: `Did you mean "${to}"?`, mend: { change: 'write', from: value, to, value: to } };
}

/** What an editor marks in the settings of an imported flow. */
class FlowCheck {
  readonly found: PlacedDiagnostic[] = [];
  private readonly document: ParsedDocument;
  private readonly spec: JsonObject;
  private readonly nodes: readonly string[];
  private readonly steps: JsonObject;
  private readonly names: ReadonlySet<string>;

  constructor(document: ParsedDocument, spec: JsonObject) {
    this.document = document;
    this.spec = spec;
    this.nodes = Object.keys(objectAt(spec, 'workflow', 'nodes'));
    this.steps = objectAt(spec, 'metadata', 'flow', 'steps');
    this.names = new Set(
      Object.values(this.steps).flatMap((step) => textOf(objectAt(step)['name']) ?? []),
    );
  }

  check(): void {
    const { flow, tools } = objectAt(this.spec, 'metadata');
    if (flow !== undefined) this.form(flowSettings.safeParse(flow).error?.issues, 'flow');
    if (tools !== undefined) this.form(toolSettings.safeParse(tools).error?.issues, 'tools');
    this.handlers();
    for (const [key, step] of Object.entries(this.steps)) this.step(key, objectAt(step));
    for (const [key, tool] of Object.entries(objectAt(tools))) {
      this.settings(objectAt(tool), ['metadata', 'tools', key]);
    }
    if (flow !== undefined) this.edges();
  }

  private form(
    issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] = [],
    name: 'flow' | 'tools',
  ): void {
    for (const { path, message } of issues) {
      const at = path.map((part) => (typeof part === 'number' ? part : String(part)));
      this.tell('W_FLOW_SETTINGS', ['metadata', name, ...at], `Cannot be built: ${message}.`);
    }
  }

  /** Names of built-in steps that the platform does not have. */
  private handlers(): void {
    const functions = objectAt(this.spec, 'components', 'functions');
    const places = [
      ...Object.entries(functions).map(([key, part]) => [['components', 'functions', key], part]),
      ...Object.entries(objectAt(this.spec, 'tools')).map(([key, part]) => [['tools', key], part]),
    ] as const;
    for (const [place, part] of places) {
      const name = textOf(objectAt(part as Json)['implementation']);
      if (name === undefined || !BUILT_IN.test(name) || HANDLERS.includes(name)) continue;
      const advice = meant(name, HANDLERS, 'docs/handlers.md lists those that there are.');
      const at = [...(place as Path), 'implementation'];
      this.tell('W_FLOW_HANDLER', at, `No built-in step is called "${name}".`, advice);
    }
  }

  private step(key: string, step: JsonObject): void {
    const place = ['metadata', 'flow', 'steps', key];
    if (this.nodes.length > 0 && !this.nodes.includes(key)) {
      this.tell(
        'W_FLOW_STEP',
        place,
        `The graph has no step "${key}".`,
        meant(key, this.nodes, null),
      );
    }
    this.inputs(step['inputs'], [...place, 'inputs']);
    this.settings(step, place);
    const prompt = step['prompt'];
    if (typeof prompt === 'string') this.text(prompt, [...place, 'prompt'], prompt.startsWith('='));
  }

  private inputs(inputs: Json | undefined, place: Path): void {
    if (!Array.isArray(inputs)) return;
    for (const [i, feeders] of inputs.entries()) {
      if (!Array.isArray(feeders)) continue;
      for (const [j, feeder] of feeders.entries()) this.feeder(objectAt(feeder), [...place, i, j]);
    }
  }

  private feeder({ step, output }: JsonObject, place: Path): void {
    if (typeof step !== 'string') return;
    if (!this.nodes.includes(step)) {
      const advice = meantValue(step, this.nodes);
      this.tell('W_FLOW_STEP', [...place, 'step'], `The graph has no step "${step}".`, advice);
    } else if (typeof output === 'number') this.output(step, output, [...place, 'output']);
  }

  private output(step: string, output: number, place: Path): void {
    const count = outputsOf(objectAt(this.steps[step]));
    if (count === undefined || output < count) return;
    const has = count === 1 ? 'one output (0)' : `${count} outputs (0 to ${count - 1})`;
    this.tell('W_FLOW_OUTPUT', place, `"${step}" has no output ${output}; it has ${has}.`);
  }

  /** Edges whose condition names an output that the step does not have. */
  private edges(): void {
    const edges = objectAt(this.spec, 'workflow')['edges'];
    if (!Array.isArray(edges)) return;
    for (const [i, edge] of edges.entries()) {
      const { from, condition } = objectAt(edge);
      const { type, key } = objectAt(condition);
      const output = type === 'metadata_equals' ? OUTPUT.exec(textOf(key) ?? '')?.[1] : undefined;
      if (typeof from !== 'string' || output === undefined) continue;
      this.output(from, Number(output), ['workflow', 'edges', i, 'condition', 'key']);
    }
  }

  private settings({ type, version, parameters }: JsonObject, place: Path): void {
    const at = [...place, 'parameters'];
    const given = objectAt(parameters);
    const known = settingsOfStep({
      type: textOf(type) ?? '',
      version: typeof version === 'number' ? version : 1,
      parameters: given,
    });
    for (const [key, value] of Object.entries(given)) {
      const setting = known !== undefined && Object.hasOwn(known, key) ? known[key] : undefined;
      if (known !== undefined && setting === undefined) this.unknown(key, given, known, at);
      if (typeof value === 'string' && setting?.values !== undefined && !value.startsWith('=')) {
        this.value(value, setting.values, [...at, key]);
      }
      this.texts(value, [...at, key], key);
    }
  }

  /** A name that is close to one that the step reads; others are the source's own. */
  private unknown(key: string, given: JsonObject, known: object, place: Path): void {
    const free = Object.keys(known).filter((name) => !Object.hasOwn(given, name));
    if (nearestName(key, free) === undefined) return;
    const advice = meant(key, free, null);
    this.tell('W_FLOW_SETTING', [...place, key], `The step reads no setting "${key}".`, advice);
  }

  private value(value: string, values: readonly string[], place: Path): void {
    const advice = values.includes(value) ? null : meantValue(value, values);
    if (advice === null) return;
    this.tell('W_FLOW_SETTING', place, `"${value}" is none of ${values.join(', ')}.`, advice);
  }

  private texts(value: Json, place: Path, key: string): void {
    if (typeof value === 'string') {
      if (value.startsWith('=')) this.text(value, place, true);
      else if (CODE.has(key)) this.references(value, value, place);
    } else if (Array.isArray(value)) {
      for (const [i, part] of value.entries()) this.texts(part, [...place, i], key);
    } else if (isJsonObject(value)) {
      for (const [name, part] of Object.entries(value)) this.texts(part, [...place, name], name);
    }
  }

  private text(text: string, place: Path, isExpression: boolean): void {
    for (const { at, body } of isExpression ? expressionsIn(text) : []) {
      const fault = faultOf(body);
      if (fault === null) this.references(body, text, place);
      else {
        const message = `The expression cannot be read at character ${fault.at + 1}: ${fault.message}`;
        this.tell('W_FLOW_EXPRESSION', place, message, null, { text, at: at + fault.at });
      }
    }
  }

  /** Steps that a text names and that the flow does not have. */
  private references(part: string, whole: string, place: Path): void {
    if (this.names.size === 0) return;
    for (const { name } of referencesIn(part)) {
      if (this.names.has(name)) continue;
      const near = nearestName(name, this.names);
      const to = near === undefined ? undefined : whole.replaceAll(name, () => near);
      const canMend = to !== undefined && to.length <= LONGEST_MEND;
      const advice: Advice | null =
        near === undefined
          ? null
          : canMend
            ? {
                text: `Did you mean "${near}"?`,
                mend: { change: 'write', from: name, to: near, value: to },
              }
            : null;
      const message = `No step of the flow is called "${name}".`;
      this.tell('W_FLOW_REFERENCE', place, message, advice, {
        text: whole,
        at: whole.indexOf(name),
      });
    }
  }

  /** `spot` is where in the text of a value it is, as far as the document has it written so. */
  private tell(
    code: string,
    place: Path,
    message: string,
    advice: Advice | string | null = null,
    spot?: { readonly text: string; readonly at: number },
  ): void {
    const finding: Finding = warning(code, formatPath(place), message, advice);
    const placed = placeFinding(finding, this.document);
    const range = spot && this.rangeOf(place, spot);
    this.found.push(range === undefined ? placed : { ...placed, range });
  }

  private rangeOf(place: Path, { text, at }: { readonly text: string; readonly at: number }) {
    const { source } = this.document;
    const node = source.find(place)?.node;
    if (node?.kind !== 'scalar') return undefined;
    const written = source.text.slice(node.start, node.end);
    const begin = written.indexOf(text);
    if (begin < 0) return undefined;
    const start = node.start + begin + Math.min(at, text.length - 1);
    const word = /^[\w$]+/.exec(source.text.slice(start, node.end))?.[0].length ?? 1;
    return { start: source.positionOf(start), end: source.positionOf(start + word) };
  }
}

/**
 * What is wrong with the settings of an imported flow (`metadata.flow`, `metadata.tools`), as warnings
 * for an editor: the language leaves them open, so that a draft is valid whatever they say.
 */
export function flowFindings(document: ParsedDocument): PlacedDiagnostic[] {
  const spec = document.value;
  const metadata = objectAt(spec, 'metadata');
  if (spec === undefined || (metadata['flow'] ?? metadata['tools']) === undefined) return [];
  const check = new FlowCheck(document, spec);
  check.check();
  return check.found;
}
