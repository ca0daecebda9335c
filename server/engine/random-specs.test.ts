import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminalStatus } from '../contract/platform/run-status.ts';
import type { JsonObject } from '../kernel/json.ts';
import { compileSpec } from '../spec/compile/compile.ts';
import { graphView } from '../spec/graph/graph-view.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { policyReport } from '../spec/reports/policy-report.ts';
import { isValid, validateSpec } from '../spec/rules/validate.ts';
import type { Spec } from '../spec/schema/spec-types.ts';
import { buildProgram } from './build-program.ts';
import { failureClass, thrownType } from './failure.ts';
import { BuildFailure, type Program } from './program.ts';
import { replayContext } from './recovery.ts';
import { toRunFields } from './run-fields.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  decide,
  nextTime,
  settle,
  testSetup,
} from './testing/drive.ts';
import { randomSpecs } from './testing/random-specs.ts';

function handlers() {
  let calls = 0;
  return {
    'fz.f': (text: unknown) => `${text}!`,
    'fz.g': () => {
      calls += 1;
      if (calls % 3 === 0) throw new Error('broken');
      return calls % 2 === 0 ? '' : true;
    },
    'fz.t': () => null,
  };
}

function built(spec: Spec): Program | BuildFailure {
  try {
    return buildProgram(spec);
  } catch (cause) {
    if (cause instanceof BuildFailure) return cause;
    throw cause;
  }
}

function finish(program: Program, input: string, target: 'agent' | 'workflow'): DrivenRun {
  const run = createdRun(program, testSetup(input, target));
  const functions = handlers();
  apply(run, { type: 'start', at: nextTime(run) });
  settle(run, functions);
  for (let turns = 0; run.state.status === 'blocked' && turns < 30; turns += 1) {
    decide(run, { decision: turns % 2 === 0 ? 'edited' : 'rejected', content: '' }, functions);
  }
  return run;
}

/**
 * What a run may fail with by itself: a function that throws, a nested workflow at its cap, a guard
 * function that answers with no verdict.
 */
const OWN_FAILURES = /^broken$|stopped at its step cap|' gave no verdict: its function must/;

/** Types that a run may end with; anything else would be an internal error. */
function isTyped({ type, message }: { type: string; message: string }): boolean {
  if (type === 'RuntimeError') return OWN_FAILURES.test(message);
  return (
    type === 'max_iterations' || (thrownType(type) === type && failureClass(type) !== undefined)
  );
}

function checkGraph(spec: Spec): void {
  const view = graphView(spec);
  const { workflow } = spec;
  if (workflow?.type !== 'sequential' && workflow?.type !== 'graph') {
    expect(view.nodes).toEqual([]);
    return;
  }
  const all = workflow.type === 'graph' ? Object.values(workflow.nodes) : workflow.steps;
  expect(view.nodes.length).toBe(all.filter(({ enabled }) => enabled).length);
  expect(view.workflow_name).not.toBe('');
}

function checkRun(run: DrivenRun, program: Program, target: 'agent' | 'workflow'): void {
  const fields = toRunFields(run.state);
  expect(isTerminalStatus(fields.status) || fields.status === 'blocked').toBe(true);
  if (fields.status === 'failed') {
    expect(fields.error).toSatisfy(isTyped);
    expect(fields.error?.message).not.toBe('');
  } else expect(fields.error).toBeNull();
  const wf = target === 'workflow' ? program.root_workflow : null;
  const { metadata } = fields;
  if (fields.status === 'completed' && wf !== null) {
    const visited = wf.shape === 'graph' ? fields.visited_nodes : fields.visited_steps;
    expect(metadata).toMatchObject({
      workflow: { name: wf.name },
      workflow_steps: visited,
      iterations: visited.length,
    });
    expect(visited.every((key) => wf.steps.has(key))).toBe(true);
  } else if (fields.status === 'completed') {
    expect(Object.keys(metadata)).toEqual(
      expect.arrayContaining(['agent_name', 'runtime_mode', 'runtime_name', 'iterations']),
    );
  }
  if (fields.status === 'blocked') {
    expect(metadata['pending_step_id']).toBe(run.state.pause?.step);
    expect(fields.pending_human_request?.title).not.toBe('');
  }
  const context = replayContext(run.state, true);
  if (run.state.restart !== null && fields.status === 'failed') {
    expect(context.failed_step ?? context.failed_node).toBe(run.state.restart.step);
    expect(context.resume_input).not.toBeNull();
  }
}

function checkSpec(document: JsonObject, input: string, target: 'agent' | 'workflow'): boolean {
  const loaded = loadSpec({ base: document });
  if (loaded.spec === undefined) {
    expect(loaded.diagnostics.length).toBeGreaterThan(0);
    return false;
  }
  const { spec } = loaded;
  policyReport(spec);
  const diagnostics = validateSpec(spec);
  const compiled = compileSpec(spec);
  expect(compiled.ok).toBe(compiled.refusal === null);
  expect(compiled.diagnostics.slice(0, diagnostics.length)).toEqual(diagnostics);
  if (!isValid(diagnostics)) expect(compiled.ok).toBe(false);
  if (!compiled.ok) expect(isValid(compiled.diagnostics)).toBe(false);
  const program = built(spec);
  if (program instanceof BuildFailure) {
    expect(compiled.ok, program.message).toBe(false);
    return false;
  }
  if (!compiled.ok) return false;
  checkGraph(spec);
  checkRun(finish(program, input, target), program, target);
  return true;
}

test('any spec: validate, compile and build refuse alike, and what is valid runs to a named end', () => {
  let valid = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      randomSpecs,
      fc.constantFrom('go', 'search it', 'stop', ''),
      fc.constantFrom('workflow' as const, 'agent' as const),
      (document, input, target) => {
        if (checkSpec(document, input, target)) valid += 1;
        else refused += 1;
      },
    ),
    { numRuns: 1500 },
  );
  // Neither side may be the whole of it, or the property says nothing.
  expect(valid).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});
