/** Classes of positions that ask for more than data (studio.md 9.2). */
export type CapabilityClass =
  | 'execute'
  | 'secret'
  | 'secret_ref'
  | 'network'
  | 'filesystem'
  | 'host_permission'
  | 'host_trust';

/** What may stand at a position of a spec, as far as capabilities are concerned. */
export type Shape =
  | { readonly kind: 'inert' }
  | { readonly kind: 'data' }
  | { readonly kind: 'json_schema' }
  | { readonly kind: 'class'; readonly of: CapabilityClass }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'list'; readonly of: Shape }
  /** Free-form: keys without a row have no class. */
  | { readonly kind: 'open'; readonly fields: Readonly<Record<string, Shape>> };

const inert: Shape = { kind: 'inert' };
const data: Shape = { kind: 'data' };
const jsonSchema: Shape = { kind: 'json_schema' };
const ofClass = (of: CapabilityClass): Shape => ({ kind: 'class', of });
const object = (fields: Readonly<Record<string, Shape>>): Shape => ({ kind: 'object', fields });
const map = (of: Shape): Shape => ({ kind: 'map', of });
const list = (of: Shape): Shape => ({ kind: 'list', of });
const open = (fields: Readonly<Record<string, Shape>> = {}): Shape => ({ kind: 'open', fields });
const inertFields = (names: string): Record<string, Shape> =>
  Object.fromEntries(names.split(' ').map((name) => [name, inert]));

const model = object({
  ...inertFields('provider name temperature max_tokens token_budget timeout_seconds'),
  extra: open({
    api_key: ofClass('secret'),
    api_key_ref: ofClass('secret_ref'),
    base_url: ofClass('network'),
  }),
});

const permission = ofClass('host_permission');
const toolSelection = object({
  ...inertFields('include exclude'),
  permissions: object({
    allow_network: permission,
    allow_filesystem_read: permission,
    allow_filesystem_write: permission,
    allow_shell: permission,
    allowed_domains: permission,
    denied_domains: inert,
  }),
});

const agent = object({
  ...inertFields('name description system_prompt skills middleware as_agent'),
  model,
  strategy: object(inertFields('type max_iterations stop_on_tool_error parallel_tool_calls')),
  runtime_preferences: object(
    inertFields(
      'preferred_mode fallback_mode allowed_modes native_provider adapter_ref bridge_provider',
    ),
  ),
  history: open(),
  memory: open({ policy: inert }),
  guardrails: map(list(open(inertFields('id type mode action ref target')))),
  tools: toolSelection,
  defaults: open(),
});

const step = object(
  inertFields('id kind ref enabled on_error fallback_ref max_retries timeout_seconds timeout'),
);

const condition: { kind: 'object'; fields: Record<string, Shape> } = {
  kind: 'object',
  fields: { ...inertFields('type key case_sensitive'), value: data },
};
condition.fields['conditions'] = list(condition);
condition.fields['condition'] = condition;

const workflow = object({
  ...inertFields('type name description start max_steps max_iterations rounds'),
  steps: list(step),
  participants: list(step),
  nodes: map(step),
  edges: list(object({ ...inertFields('from from_ to label'), condition })),
  selector: object(inertFields('type sequence')),
});

const human = object({
  ...inertFields('description assignee timeout_seconds timeout on_timeout request_type type'),
  ...inertFields('options default_option response_role'),
  context: data,
});

const mcpServer = object({
  ...inertFields('transport timeout max_response_bytes sse_read_timeout'),
  command: ofClass('execute'),
  args: ofClass('execute'),
  env: ofClass('execute'),
  cwd: ofClass('filesystem'),
  url: ofClass('network'),
  sse_url: ofClass('network'),
  message_url: ofClass('network'),
  headers: ofClass('secret'),
  verify: ofClass('host_trust'),
  ca_bundle: ofClass('filesystem'),
  client_cert: ofClass('filesystem'),
  client_key: ofClass('filesystem'),
  client_key_ref: ofClass('secret_ref'),
});

/** The whole of a spec v1 document; every key that has no row is unknown. */
export const SPEC_SHAPE: Shape = object({
  version: inert,
  metadata: data,
  agent,
  workflow,
  components: object({
    agents: map(agent),
    workflows: map(workflow),
    functions: map(
      object({
        implementation: ofClass('execute'),
        input_schema: jsonSchema,
        output_schema: jsonSchema,
      }),
    ),
    humans: map(human),
  }),
  tools: map(
    object({
      ...inertFields('description agent'),
      parameters: jsonSchema,
      implementation: ofClass('execute'),
      mcp: open(),
    }),
  ),
  mcp_servers: map(mcpServer),
  skills: map(object({ source: ofClass('filesystem'), description: inert })),
  policies: open(),
});
