import type { Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, warning } from './finding.ts';

/** Family 8: human components. */
export function checkHumans(spec: Spec, findings: Diagnostic[]): void {
  for (const [name, human] of Object.entries(spec.components.humans)) {
    const path = `components.humans.${name}`;
    const options = human.options ?? [];
    if (human.default_option !== null && !options.includes(human.default_option)) {
      const message = `The default "${human.default_option}" is not among the options.`;
      const advice = meant(human.default_option, options, 'Add it to options.');
      findings.push(
        fault('E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS', `${path}.default_option`, message, advice),
      );
    }
    if (human.request_type === 'selection' && options.length === 0) {
      const message = 'A selection needs options to select from.';
      findings.push(
        fault('E_HUMAN_SELECTION_REQUIRES_OPTIONS', `${path}.options`, message, 'Add options.'),
      );
    }
    if (human.response_role === 'system') {
      const message = 'The answer of a person would join the thread as a system message.';
      const advice = 'Use user or assistant, unless reviewers may instruct the model.';
      findings.push(
        warning('W_HUMAN_RESPONSE_ROLE_SYSTEM', `${path}.response_role`, message, advice),
      );
    }
  }
}
