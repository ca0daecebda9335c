import { buildOrder } from '../graph/build-order.ts';
import type { Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { fault } from './finding.ts';

/** Family 13: parts that need one another in a circle. */
export function checkBuildCycle(spec: Spec, findings: Diagnostic[]): void {
  const { cycle } = buildOrder(spec);
  const [first] = cycle ?? [];
  if (cycle === null || first === undefined) return;
  const names = [...cycle, first].map(({ kind, name }) => `${kind} ${name}`);
  const message = `These parts need one another: ${names.join(' → ')}.`;
  findings.push(fault('E_BUILD_CYCLE', 'components', message, 'Cut one of these references.'));
}
