import { flowSettings } from '../../contract/flow.ts';
import { type Rehearsal, SINGLE_AGENT } from '../../contract/platform/rehearsals.ts';
import { stepsOf, workflowsOf } from '../schema/elements.ts';
import type { Spec, StepKind } from '../schema/spec-types.ts';

/** A step or a tool that a rehearsal may answer for. */
export interface ReplaceablePart {
  readonly kind: 'step' | 'tool';
  /** Under which the rehearsal names it. */
  readonly key: string;
  /** Its name in the source, else its key. */
  readonly name: string;
  /** What carries it out; of a tool whether that is code. */
  readonly runs: StepKind | 'tool';
  /** What is told at these places of the document, and below them, is told of it. */
  readonly places: readonly string[];
}

const SECTIONS = {
  agent: 'agents',
  guardrail: 'agents',
  function: 'functions',
  human: 'humans',
  workflow: 'workflows',
} as const satisfies Record<StepKind, string>;

/** The steps and tools of a spec that a rehearsal may answer for; people answer for themselves. */
export function replaceableParts(spec: Spec): ReplaceablePart[] {
  const own = flowSettings.safeParse(spec.metadata?.['flow']).data?.steps ?? {};
  const steps = workflowsOf(spec).flatMap(({ item, path }) => stepsOf(item, path));
  const single: ReplaceablePart[] =
    spec.workflow === null
      ? [
          {
            kind: 'step',
            key: SINGLE_AGENT,
            name: spec.agent.name,
            runs: 'agent',
            places: ['agent'],
          },
        ]
      : [];
  const ofSteps = steps
    .filter(({ step }) => step.enabled && step.kind !== 'human')
    .map(({ key, step: { kind, ref } }): ReplaceablePart => {
      const places = [`components.${SECTIONS[kind]}.${ref}`, `metadata.flow.steps.${key}`];
      return { kind: 'step', key, name: own[key]?.name ?? key, runs: kind, places };
    });
  const ofTools = Object.keys(spec.tools).map((name): ReplaceablePart => {
    const places = [`tools.${name}`, `metadata.tools.${name}`];
    return { kind: 'tool', key: name, name, runs: 'tool', places };
  });
  return [...single, ...ofSteps, ...ofTools];
}

/** Whether a path is one of the places or below one. */
export function isAt(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}.`));
}

function isAnswered({ steps, tools }: Rehearsal, { kind, key }: ReplaceablePart): boolean {
  return Object.hasOwn(kind === 'step' ? steps : tools, key);
}

/** Whether what a finding is about does not run in a rehearsal, because something answers for all that it belongs to. */
export function answeredFor(spec: Spec, rehearsal: Rehearsal): (path: string | null) => boolean {
  const parts = replaceableParts(spec);
  return (path) => {
    if (path === null) return false;
    const concerned = parts.filter(({ places }) => isAt(path, places));
    return concerned.length > 0 && concerned.every((part) => isAnswered(rehearsal, part));
  };
}
