import { DIFY_CONTAINERS, DIFY_ENTRIES, difyType } from '../../items/dify-types.ts';
import type { JsonObject } from '../../items/item.ts';
import type { NodeRun } from '../../items/run-record.ts';
import { isObject } from '../../kernel/json.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';
import type { DifyFacts } from './dify-facts.ts';
import { fieldsOfText } from './text-steps.ts';
import { textOfValue, textsOf } from './values.ts';

/** A name of a variable in a text. */
const REFERENCE = /\{\{#([\w-]+(?:\.[\w-]+)+)#\}\}/g;
/** The credential type that a secret of the environment is bound under. */
const SECRET = 'difySecret';

type Steps = DifyFacts['flow']['steps'];
type Step = Steps[string];

const BY_ID = new WeakMap<Steps, ReadonlyMap<string, Step>>();

/** The steps of a flow by the ids of the source. */
export function stepsById(steps: Steps): ReadonlyMap<string, Step> {
  const known = BY_ID.get(steps);
  if (known !== undefined) return known;
  const made = new Map(Object.values(steps).map((step) => [step.id ?? step.name, step]));
  BY_ID.set(steps, made);
  return made;
}

function lastRun({ record }: DifyFacts, id: string): NodeRun | undefined {
  return record.get(id)?.at(-1);
}

/** Changed variables by what they belong to: `conversation`, or the id of a loop. */
export type Variables = Readonly<Record<string, JsonObject>>;

function variablesOf({ context }: NodeRun): { at: number; variables: Variables } | undefined {
  const found = context?.['variables'];
  return isObject(found) ? { at: 0, variables: found as Variables } : undefined;
}

/** The variables as the last step left them that changed one. */
function changedVariables({ record }: DifyFacts): Variables {
  let last = { at: -1, variables: {} as Variables };
  for (const runs of record.values()) {
    const run = runs.findLast(({ context }) => context?.['variables'] !== undefined);
    const found = run && variablesOf(run);
    const at = run?.at ?? 0;
    if (found !== undefined && at > last.at) last = { ...found, at };
  }
  return last.variables;
}

function valueNamed(list: readonly JsonObject[] | undefined, name: string): unknown {
  return list?.find((one) => one['name'] === name)?.['value'];
}

/** The value in a value that keys lead to; undefined where they lead nowhere. */
export function descend(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** The fields that a step gave in one of its runs; undefined when it gave none. */
export function fieldsOfRun(step: Step, { outputs }: NodeRun): JsonObject | undefined {
  const json = outputs.find((output) => output !== null && output.length > 0)?.[0]?.json;
  return json === undefined ? undefined : fieldsOfText(step, json);
}

/** What the expressions of a step read: earlier steps, the app's variables, what the run was given. */
export class Pool {
  readonly #dify: DifyFacts;
  readonly #secrets: ReadonlyMap<string, string>;
  #variables: Variables | undefined;

  constructor(dify: DifyFacts, secrets: ReadonlyMap<string, string>, variables?: Variables) {
    this.#dify = dify;
    this.#secrets = secrets;
    this.#variables = variables;
  }

  /** The same with these variables. */
  with(variables: Variables): Pool {
    return new Pool(this.#dify, this.#secrets, variables);
  }

  /** All variables that steps changed, to be kept with one more change. */
  get variables(): Variables {
    this.#variables ??= changedVariables(this.#dify);
    return this.#variables;
  }

  /** The value that a selector names; undefined when nothing has it. */
  get(selector: readonly string[]): unknown {
    const [owner = '', name = '', ...path] = selector;
    switch (owner) {
      case 'sys':
        return descend(this.#system(name), path);
      case 'env':
        return this.#secrets.get(name) ?? valueNamed(this.#dify.flow.environment_variables, name);
      case 'conversation':
        return descend(this.#conversation(name), path);
      default:
        return descend(this.#ofStep(owner, name), path);
    }
  }

  /** The value of a setting that is a selector. */
  at(setting: unknown): unknown {
    return this.get(textsOf(setting));
  }

  /** A text with the values that it names in their places. */
  fill(text: unknown): string {
    if (typeof text !== 'string') return textOfValue(text);
    return text.replace(REFERENCE, (_, name: string) => textOfValue(this.get(name.split('.'))));
  }

  #system(name: string): unknown {
    for (const [id, { type }] of stepsById(this.#dify.flow.steps)) {
      if (!DIFY_ENTRIES.some((entry) => difyType(entry) === type)) continue;
      const json = lastRun(this.#dify, id)?.outputs[0]?.[0]?.json;
      if (json !== undefined) return json[`sys.${name}`];
    }
    return undefined;
  }

  #conversation(name: string): unknown {
    const changed = this.variables['conversation'];
    if (changed !== undefined && Object.hasOwn(changed, name)) return changed[name];
    return valueNamed(this.#dify.flow.conversation_variables, name);
  }

  #ofStep(id: string, name: string): unknown {
    const variables = this.variables[id];
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
    const fields = this.fields(id);
    return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }

  /** The fields that a step gave in this round; undefined when it did not run. */
  fields(id: string): JsonObject | undefined {
    const run = lastRun(this.#dify, id);
    const step = stepsById(this.#dify.flow.steps).get(id);
    if (run === undefined || step === undefined || this.#isOld(step, run)) return undefined;
    return fieldsOfRun(step, run);
  }

  /** True for what a step gave in an earlier round. */
  #isOld(step: Step, run: NodeRun): boolean {
    if (step.inside === undefined) return false;
    const round = this.#dify.flow.steps[step.inside];
    const id = round?.id ?? round?.name ?? '';
    const begun = DIFY_CONTAINERS.some((type) => difyType(type) === round?.type);
    return begun && (lastRun(this.#dify, id)?.at ?? 0) > (run.at ?? 0);
  }
}

/** Names of secrets of the environment that settings read. */
function secretsRead({ flow }: DifyFacts, parameters: JsonObject): string[] {
  const secrets = (flow.environment_variables ?? []).flatMap(({ name, value_type }) =>
    value_type === 'secret' && typeof name === 'string' ? [name] : [],
  );
  if (secrets.length === 0) return [];
  const text = JSON.stringify(parameters);
  return secrets.filter((name) => text.includes(`env.${name}`) || text.includes(`"env","${name}"`));
}

/** What a step reads, with the secrets that its settings name. @throws StepFailure for one that is not bound */
export async function poolOf(call: HandlerCall, dify: DifyFacts): Promise<Pool> {
  const secrets = new Map<string, string>();
  const named = Object.entries(call.node.credentials ?? {});
  for (const name of secretsRead(dify, call.node.parameters)) {
    const [type = SECRET] =
      named.find(([one, own]) => own === name && one.startsWith(SECRET)) ?? [];
    const found = await call.credential(type, name);
    if (found?.kind !== 'bearer')
      throw new StepFailure(
        `The secret '${name}' of the app's environment is bound to nothing. Bind it under Credentials as a token (docs/credentials.md).`,
      );
    secrets.set(name, found.token);
  }
  return new Pool(dify, secrets);
}
