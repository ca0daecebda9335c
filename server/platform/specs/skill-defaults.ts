import type { JsonObject } from '../../kernel/json.ts';
import type { Agent, Spec, Strategy } from '../../spec/schema/spec-types.ts';

const SIMPLE: Strategy = {
  type: 'simple',
  max_iterations: null,
  stop_on_tool_error: null,
  parallel_tool_calls: null,
};

type Defaults = Readonly<Record<string, JsonObject>>;

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function withDefaults(agent: Agent, defaults: Defaults): Agent {
  const active = agent.skills.flatMap((name) =>
    Object.hasOwn(defaults, name) ? [defaults[name] ?? {}] : [],
  );
  const { max_iterations, temperature }: JsonObject = Object.assign({}, ...active);
  const iterations = numberOf(max_iterations);
  const warmth = numberOf(temperature);
  const { model, strategy } = agent;
  return {
    ...agent,
    strategy:
      iterations === undefined ? strategy : { ...(strategy ?? SIMPLE), max_iterations: iterations },
    model: warmth === undefined || model === null ? model : { ...model, temperature: warmth },
  };
}

/** Active skills set `max_iterations` and `temperature` of their agents, the later one wins (spec-v1 11.1). */
export function applySkillDefaults(spec: Spec, defaults: Defaults): Spec {
  if (Object.keys(defaults).length === 0) return spec;
  const agents = Object.entries(spec.components.agents).map(([name, agent]): [string, Agent] => [
    name,
    withDefaults(agent, defaults),
  ]);
  return {
    ...spec,
    agent: withDefaults(spec.agent, defaults),
    components: { ...spec.components, agents: Object.fromEntries(agents) },
  };
}
