import { own } from '../../engine/own.ts';
import type { Program, ProgramStep, ProgramWorkflow } from '../../engine/program.ts';

/** So many steps take longer than the thread that answers works for one run, even when nobody is asked. */
const LONG_RUN_STEPS = 200;

/** Steps that workflows run, those of nested ones included, counted up to the limit above. */
class StepSum {
  readonly #program: Program;
  readonly #known = new Map<ProgramWorkflow, number>();

  constructor(program: Program) {
    this.#program = program;
  }

  of(wf: ProgramWorkflow): number {
    const known = this.#known.get(wf);
    if (known !== undefined) return known;
    const sum = Math.min(LONG_RUN_STEPS, this.#sum(wf));
    this.#known.set(wf, sum);
    return sum;
  }

  #sum(wf: ProgramWorkflow): number {
    const keys = 'order' in wf ? wf.order : [...wf.steps.keys()];
    if (keys.length >= LONG_RUN_STEPS) return LONG_RUN_STEPS;
    let once = 0;
    for (const key of keys) once += this.#ofStep(wf.steps.get(key));
    return 'turn_count' in wf ? (once * wf.turn_count) / Math.max(1, keys.length) : once;
  }

  #ofStep(step: ProgramStep | undefined): number {
    if (step === undefined) return 0;
    const { agents, workflows } = this.#program;
    const name = step.kind === 'workflow' ? step.ref : (own(agents, step.ref)?.as_agent ?? null);
    const nested = name === null ? undefined : own(workflows, name);
    return nested === undefined ? 1 : 1 + this.of(nested);
  }
}

/** True for a program that takes time in any case: it would move to another thread on its way. */
export function isLong(program: Program): boolean {
  const { root_workflow: wf } = program;
  return wf !== null && new StepSum(program).of(wf) >= LONG_RUN_STEPS;
}
