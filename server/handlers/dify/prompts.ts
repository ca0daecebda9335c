import type { DifyFacts } from './dify-facts.ts';
import { Pool } from './pool.ts';

/** What a step of text is asked: its prompt and its agent's instructions, with values in them. */
export function askedOf(
  dify: DifyFacts,
  instructions: string | null,
  prompt: string,
): { readonly text: string; readonly system: string } | string {
  const pool = new Pool(dify, new Map());
  const text = pool.fill(prompt);
  const system = pool.fill(instructions ?? '');
  return system === (instructions ?? '') ? text : { text, system };
}
