import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';

const SECTIONS = ['agents', 'functions', 'humans', 'workflows'] as const;
type Section = (typeof SECTIONS)[number] | 'tools' | 'mcp_servers';

/** Section of `components` that a step of each kind refers to. */
const SECTION_OF_KIND: ReadonlyMap<Json | undefined, Section> = new Map<Json | undefined, Section>([
  ['agent', 'agents'],
  ['function', 'functions'],
  ['human', 'humans'],
  ['workflow', 'workflows'],
]);

/** New name of a member of the called document. */
type Rename = (section: Section, name: Json | undefined) => Json | undefined;

function block(spec: JsonObject, section: Section): JsonObject {
  const own = section === 'tools' || section === 'mcp_servers';
  const parent = own ? spec : spec['components'];
  const found = isObject(parent) ? parent[section] : undefined;
  return isObject(found) ? found : {};
}

function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const out = { ...object };
  if (value !== undefined) setOwn(out, name, value);
  return out;
}

function renameStep(step: Json, rename: Rename): Json {
  if (!isObject(step)) return step;
  const section = SECTION_OF_KIND.get(step['kind']);
  if (section === undefined) return step;
  const renamed = withMember(step, 'ref', rename(section, step['ref']));
  if (step['fallback_ref'] === undefined) return renamed;
  return withMember(renamed, 'fallback_ref', rename(section, step['fallback_ref']));
}

function renameWorkflow(body: Json, rename: Rename): Json {
  if (!isObject(body)) return body;
  const out = { ...body };
  for (const list of ['steps', 'participants']) {
    const steps = body[list];
    if (Array.isArray(steps)) out[list] = steps.map((step) => renameStep(step, rename));
  }
  const nodes = body['nodes'];
  if (isObject(nodes)) {
    const renamed: JsonObject = {};
    for (const [id, step] of Object.entries(nodes)) setOwn(renamed, id, renameStep(step, rename));
    out['nodes'] = renamed;
  }
  return out;
}

function renameAgent(agent: Json, rename: Rename): Json {
  if (!isObject(agent)) return agent;
  const out = { ...agent };
  if (agent['as_agent'] !== undefined) {
    out['as_agent'] = rename('workflows', agent['as_agent']) ?? agent['as_agent'];
  }
  const tools = agent['tools'];
  const include = isObject(tools) ? tools['include'] : undefined;
  if (isObject(tools) && Array.isArray(include)) {
    out['tools'] = { ...tools, include: include.map((name) => rename('tools', name) ?? name) };
  }
  return out;
}

function renameTool(tool: Json, rename: Rename): Json {
  if (!isObject(tool)) return tool;
  const out = { ...tool };
  if (tool['agent'] !== undefined) out['agent'] = rename('agents', tool['agent']) ?? tool['agent'];
  const mcp = tool['mcp'];
  if (isObject(mcp)) {
    out['mcp'] = { ...mcp, server: rename('mcp_servers', mcp['server']) ?? null };
  }
  return out;
}

function renameMember(section: Section, member: Json, rename: Rename): Json {
  if (section === 'workflows') return renameWorkflow(member, rename);
  if (section === 'agents') return renameAgent(member, rename);
  return section === 'tools' ? renameTool(member, rename) : member;
}

function freeName(taken: JsonObject, wanted: string): string {
  let name = wanted;
  for (let i = 2; Object.hasOwn(taken, name); i += 1) name = `${wanted}_${i}`;
  return name;
}

function stepsOf(body: JsonObject): Json[] {
  const nodes = body['nodes'];
  const lists = [body['steps'], body['participants']].filter((list) => Array.isArray(list));
  return [...lists.flat(), ...(isObject(nodes) ? Object.values(nodes) : [])];
}

/** True when a workflow of the document waits for a person; such a one cannot be nested. */
export function waitsForPerson(spec: JsonObject): boolean {
  const bodies = [spec['workflow'], ...Object.values(block(spec, 'workflows'))];
  const steps = bodies.filter((body) => isObject(body)).flatMap(stepsOf);
  return steps.some((step) => isObject(step) && step['kind'] === 'human');
}

/** True for a draft whose edges carry items; what says so is one for the whole draft. */
function isItemFlow({ metadata }: JsonObject): boolean {
  return isObject(metadata) && isObject(metadata['flow']);
}

/** True when there is something to run: a workflow with steps. */
export function hasProgram(spec: JsonObject): boolean {
  const { workflow } = spec;
  return isObject(workflow) && stepsOf(workflow).length > 0;
}

const ALL_SECTIONS: readonly Section[] = [...SECTIONS, 'tools', 'mcp_servers'];

/** Free names in the caller for every member of the called document. */
function renaming(caller: JsonObject, component: string, called: JsonObject): Rename {
  const names = new Map<Section, Map<string, string>>();
  for (const section of ALL_SECTIONS) {
    const taken = { ...block(caller, section) };
    const made = new Map<string, string>();
    for (const name of Object.keys(block(called, section))) {
      const free = freeName(taken, `${component}_${name}`);
      setOwn(taken, free, null);
      made.set(name, free);
    }
    names.set(section, made);
  }
  return (section, name) =>
    typeof name === 'string' ? (names.get(section)?.get(name) ?? name) : name;
}

/** A section of the caller with the members of the called document under their new names. */
function merged(
  caller: JsonObject,
  called: JsonObject,
  section: Section,
  rename: Rename,
): JsonObject {
  const target = { ...block(caller, section) };
  for (const [name, member] of Object.entries(block(called, section))) {
    setOwn(target, String(rename(section, name)), renameMember(section, member, rename));
  }
  return target;
}

function metadataPart(spec: JsonObject, key: string): JsonObject {
  const { metadata } = spec;
  const part = isObject(metadata) ? metadata[key] : undefined;
  return isObject(part) ? part : {};
}

/** What a spec says of its own flow of items, as it is said of one that is called. */
function calledFlow(called: JsonObject): JsonObject | undefined {
  if (!isItemFlow(called)) return undefined;
  const { allowed_domains: _, denied_domains: __, ...flow } = metadataPart(called, 'flow');
  return flow;
}

/** What the caller says of flows and tools, with what the called document says of its own. */
function metadataFor(
  caller: JsonObject,
  component: string,
  called: JsonObject,
  rename: Rename,
): JsonObject {
  const flows = { ...metadataPart(caller, 'flows') };
  for (const [name, flow] of Object.entries(metadataPart(called, 'flows'))) {
    setOwn(flows, String(rename('workflows', name)), flow);
  }
  const own = calledFlow(called);
  if (own !== undefined) setOwn(flows, component, own);
  const tools = { ...metadataPart(caller, 'tools') };
  for (const [name, settings] of Object.entries(metadataPart(called, 'tools'))) {
    setOwn(tools, String(rename('tools', name)), settings);
  }
  return {
    ...(isObject(caller['metadata']) ? caller['metadata'] : {}),
    ...(Object.keys(flows).length === 0 ? {} : { flows }),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
  };
}

/** True for the function that fails in the place of a workflow which its import did not find. */
export function standsForMissing(ref: string, own: Json | undefined): boolean {
  return isObject(own) && own['implementation'] === `imported.${ref}`;
}

/** The draft without the function that fails in the place of a workflow that is not there. */
function withoutMissing(caller: JsonObject, stub: string): JsonObject {
  const body = block(caller, 'workflows')[stub];
  const [step] = isObject(body) ? stepsOf(body) : [];
  const ref = isObject(step) ? String(step['ref']) : '';
  const functions = block(caller, 'functions');
  const { components } = caller;
  if (!standsForMissing(ref, functions[ref]) || !isObject(components)) return caller;
  const { [ref]: _, ...others } = functions;
  return { ...caller, components: { ...components, functions: others } };
}

/**
 * The draft with a workflow step in the place of the function step that stood for a call, and the
 * name of the empty component workflow that it refers to.
 */
function withCallStep(caller: JsonObject, name: string): { spec: JsonObject; component: string } {
  const { workflow, components } = caller;
  const functions = block(caller, 'functions');
  const nodes = isObject(workflow) ? workflow['nodes'] : undefined;
  const isStub = Object.hasOwn(block(caller, 'workflows'), name);
  if (isStub || !isObject(workflow) || !isObject(nodes) || !Object.hasOwn(functions, name))
    return { spec: caller, component: name };
  const component = freeName(block(caller, 'workflows'), name);
  const { [name]: _, ...others } = functions;
  const steps = Object.entries(nodes).map(([key, step]): [string, Json] => {
    const isCall = isObject(step) && step['kind'] === 'function' && step['ref'] === name;
    return [key, isCall ? { ...step, kind: 'workflow', ref: component } : step];
  });
  return {
    component,
    spec: {
      ...caller,
      workflow: { ...workflow, nodes: Object.fromEntries(steps) },
      components: { ...(isObject(components) ? components : {}), functions: others },
    },
  };
}

/** The body of the called workflow, with the description that the caller gave it. */
function bodyFor(stub: Json | undefined, called: JsonObject, rename: Rename): Json {
  const body = renameWorkflow(called['workflow'] ?? {}, rename);
  const description = isObject(stub) ? stub['description'] : undefined;
  return isObject(body) && description !== undefined ? { ...body, description } : body;
}

/**
 * Puts the workflow of `called` in the place of the empty component workflow, or of the function
 * step of a flow of items, that has the name `stub`; what it refers to comes along under names that
 * are free. Neither document is changed.
 */
export function embedWorkflow(original: JsonObject, stub: string, called: JsonObject): JsonObject {
  const { spec: caller, component } = withCallStep(withoutMissing(original, stub), stub);
  const rename = renaming(caller, component, called);
  const spec: JsonObject = { ...caller };
  const components: JsonObject = isObject(caller['components']) ? { ...caller['components'] } : {};
  spec['components'] = components;
  for (const section of ALL_SECTIONS) {
    const members = merged(caller, called, section, rename);
    const own = section === 'tools' || section === 'mcp_servers';
    if (Object.keys(members).length > 0) (own ? spec : components)[section] = members;
  }
  const workflows = { ...block(spec, 'workflows') };
  setOwn(workflows, component, bodyFor(workflows[component], called, rename));
  components['workflows'] = workflows;
  const metadata = metadataFor(caller, component, called, rename);
  if (Object.keys(metadata).length > 0) spec['metadata'] = metadata;
  return structuredClone(spec);
}
