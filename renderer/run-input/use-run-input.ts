import { useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { localStore } from '../desktop/local-store.ts';
import { type FlowTrigger, inputProblem, inputWithTrigger } from './flow-input.ts';
import { missingFields } from './trigger-form.ts';

/** The input of a run of a draft, kept for it from one run to the next. */
interface RunInputState {
  readonly input: string;
  readonly setInput: (input: string) => void;
  /** Key of the chosen trigger; empty where there is no choice. */
  readonly trigger: string;
  readonly setTrigger: (trigger: string) => void;
  /** Why no run can begin with it, in words; null where one can. */
  fault(): string | null;
  /** Keeps both for the next run. */
  remember(): void;
}

/** What is sent for an input, with the trigger where one was chosen. */
export function inputSent(input: string, trigger: string): string {
  return trigger === '' ? input : inputWithTrigger(input, trigger);
}

/** The input for the draft at `ref`; `flow` is null for a spec that is no item flow. */
export function useRunInput(
  projectId: string,
  ref: string,
  flow: readonly FlowTrigger[] | null,
): RunInputState {
  const key = `${projectId}\n${ref}`;
  const [input, setInput] = useState(() => localStore.get(`run-input:${key}`) ?? '');
  const [wanted, setTrigger] = useState(() => localStore.get(`run-trigger:${key}`) ?? '');
  const chosen = flow?.find((one) => one.key === wanted) ?? flow?.[0];
  const trigger = flow !== null && flow.length > 1 ? (chosen?.key ?? '') : '';
  return {
    ...{ input, setInput, trigger, setTrigger },
    fault() {
      if (flow === null) return null;
      const [missing] = missingFields(input, chosen?.fields ?? []);
      return (
        inputProblem(input) ??
        (missing === undefined ? null : t('Fill in {label}.', { label: missing.label }))
      );
    },
    remember() {
      localStore.set(`run-input:${key}`, input);
      localStore.set(`run-trigger:${key}`, trigger);
    },
  };
}
