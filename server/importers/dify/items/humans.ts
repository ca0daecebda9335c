import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { Loss } from '../../graph-ir.ts';
import type { DifyNode } from '../document.ts';
import { buttonsOf } from '../extended/roles.ts';
import type { HandledOutput } from '../scene.ts';

/** Outputs of a question to a person: the answer that names a button takes its output. */
export function chosenOutputs(node: DifyNode, outputs: readonly HandledOutput[]): HandledOutput[] {
  const buttons = buttonsOf(node);
  return outputs.map((output) => {
    if (output.role === 'default') return output;
    const title = buttons.get(output.handle);
    const condition: Condition =
      title === undefined
        ? { type: 'never' }
        : {
            type: 'any_of',
            conditions: [
              { type: 'output_equals', value: title, case_sensitive: false },
              { type: 'output_equals', value: output.handle, case_sensitive: false },
            ],
          };
    return { ...output, condition };
  });
}

/** Tells that a person is asked, and how an answer is taken. */
export function askedLosses(node: DifyNode, outputs: readonly HandledOutput[]): Loss[] {
  const { ref, title } = node;
  const words = [...buttonsOf(node).values()].map((word) => `"${word}"`).join(', ');
  const chosen = words === '' ? '' : `; the answer must be one of ${words}`;
  const lost = outputs.filter(({ condition }) => condition?.type === 'never');
  const never = lost.map(({ handle }) => `"${handle}"`).join(', ');
  const rest = never === '' ? '' : `, and nothing takes the output ${never}`;
  const detail = `"${title}" asks a person and waits; in the draft a human step does${chosen}${rest}.`;
  const todo = 'Say who is asked and how they are told.';
  return [{ ref, kind: 'carried_as', severity: 'manual', detail, todo }];
}
