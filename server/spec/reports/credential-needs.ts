import {
  type CredentialKind,
  credentialKindsOf,
  credentialSecretName,
  credentialTypeOf,
} from '../../contract/credentials.ts';
import {
  calledFlows,
  type FlowSettings,
  type FlowStepSettings,
  flowSettings,
  type ToolSettings,
  toolSettings,
} from '../../contract/flow.ts';
import type { JsonObject } from '../../kernel/json.ts';

/** A credential of the source that steps of a spec send with their requests. */
export interface CredentialNeed {
  readonly type: string;
  /** As the source has it; empty where it names none. */
  readonly name: string;
  /** What it may be bound to. */
  readonly kinds: readonly CredentialKind[];
  /** The name of the secret that it is bound to. */
  readonly secret: string;
  readonly steps: readonly { readonly name: string; readonly path: string }[];
}

interface Use {
  readonly type: string;
  readonly name: string;
  readonly step: CredentialNeed['steps'][number];
}

/** Its settings say which one of its credentials a step sends. */
const ASKS_BY_SETTINGS = /\.(?:httpRequest|httpRequestTool|toolHttpRequest)$/;

/** Steps of texts call models, and what begins a run is started by it: neither sends one. */
const SENDS_NONE = /^@n8n\/|trigger$|^n8n-nodes-base\.(?:webhook|start|cron|interval)$/i;

/** A model's own node sends its credential where it is no agent: for an image or a sound. */
const SENDS_OWN = /^@n8n\/n8n-nodes-langchain\.openAi$/;

function isSending({ disabled, type, parameters }: FlowStepSettings): boolean {
  if (disabled === true) return false;
  return !SENDS_NONE.test(type) || (SENDS_OWN.test(type) && parameters['resource'] !== undefined);
}

type Sender = ToolSettings[string];

function typesOf(step: Sender): string[] {
  if (!ASKS_BY_SETTINGS.test(step.type)) return Object.keys(step.credentials ?? {});
  const type = credentialTypeOf(step);
  return type === undefined ? [] : [type];
}

function usesOf(path: string, step: Sender): Use[] {
  return typesOf(step).map((type) => {
    const name = step.credentials?.[type];
    const place = name === undefined ? path : `${path}.credentials.${type}`;
    return { type, name: name ?? '', step: { name: step.name, path: place } };
  });
}

function usesIn(path: string, flow: Pick<FlowSettings, 'steps'> | undefined): Use[] {
  return Object.entries(flow?.steps ?? {}).flatMap(([key, step]) =>
    isSending(step) ? usesOf(`${path}.steps.${key}`, step) : [],
  );
}

function needOf(uses: readonly Use[]): CredentialNeed[] {
  const [first] = uses;
  if (first === undefined) return [];
  const { type, name } = first;
  const steps = uses.map(({ step }) => step);
  const secret = credentialSecretName(type, name);
  return [{ type, name, kinds: credentialKindsOf(type), secret, steps }];
}

/** The credentials that steps and tools of an imported workflow need, in the order of their first one. */
export function credentialNeeds(spec: { readonly metadata: JsonObject | null }): CredentialNeed[] {
  const flow = flowSettings.safeParse(spec.metadata?.['flow']).data;
  const called = calledFlows.safeParse(spec.metadata?.['flows']).data;
  const tools = toolSettings.safeParse(spec.metadata?.['tools']).data;
  const uses = [
    ...usesIn('metadata.flow', flow),
    ...Object.entries(called ?? {}).flatMap(([name, one]) => usesIn(`metadata.flows.${name}`, one)),
    ...Object.entries(tools ?? {}).flatMap(([key, tool]) => usesOf(`metadata.tools.${key}`, tool)),
  ];
  const byName = Map.groupBy(uses, ({ type, name }) => credentialSecretName(type, name));
  return [...byName.values()].flatMap(needOf);
}
