import { selectBinding } from '../../runtime/models/select-binding.ts';
import type { Diagnostic } from '../../spec/diagnostic.ts';
import type { Agent, Spec } from '../../spec/spec-types.ts';
import type { Environment } from '../env-reader.ts';

/** W_MODEL_OFFLINE for every agent whose provider has neither key nor address (spec-v1 6, decisions 9). */
export function modelFindings(spec: Spec, env: Environment): Diagnostic[] {
  const agents: [string, Agent][] = [
    ['agent', spec.agent],
    ...Object.entries(spec.components.agents).map(([name, agent]): [string, Agent] => [
      `components.agents.${name}`,
      agent,
    ]),
  ];
  return agents.flatMap(([path, agent]): Diagnostic[] => {
    const { warning } = selectBinding(agent, env);
    if (warning === null) return [];
    const suggestion = 'Set the key, or give model.extra.base_url.';
    return [
      {
        code: 'W_MODEL_OFFLINE',
        severity: 'warning',
        message: warning,
        path: `${path}.model`,
        suggestion,
      },
    ];
  });
}
