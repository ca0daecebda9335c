import { selectBinding } from '../../runtime/models/select-binding.ts';
import type { Secrets } from '../../runtime/secrets.ts';
import { agentsOf } from '../../spec/reports/secret-references.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';

/** W_MODEL_OFFLINE for every agent whose provider has neither key nor address (spec-v1 6, decisions 9). */
export function modelFindings(spec: Spec, secrets: Secrets): Diagnostic[] {
  return agentsOf(spec).flatMap(([path, agent]): Diagnostic[] => {
    const { warning } = selectBinding(agent, secrets);
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
