import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { nameOf } from '../schema/block.ts';
import { named } from '../schema/elements.ts';
import { VALUES } from '../schema/field-help.ts';
import { lenientBoolean, lenientInteger } from '../schema/scalars.ts';
import type { Agent, Components } from '../schema/spec-types.ts';
import type { Advice, Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault } from './finding.ts';

/** What of the thread a model is sent (spec-v1 11.5), sound in every part. */
export type MemorySetting =
  | { readonly policy: 'full' }
  | {
      readonly policy: 'sliding_window';
      readonly max_messages: number;
      readonly keep_system: boolean;
    }
  | { readonly policy: 'summary'; readonly ref: string; readonly by: 'function' | 'agent' }
  | { readonly policy: 'retrieval'; readonly ref: string; readonly top_k: number };

interface Reading {
  readonly memory: JsonObject;
  readonly path: string;
  readonly components: Pick<Components, 'agents' | 'functions'>;
  readonly findings: Diagnostic[];
}

function problem(
  { path, findings }: Reading,
  key: string,
  message: string,
  advice: Advice | string,
): void {
  findings.push(fault('E_MEMORY_CONFIG', `${path}.memory.${key}`, message, advice));
}

function isUnset(value: Json | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function readCount(reading: Reading, key: 'max_messages' | 'top_k', standard: number): number {
  const value = reading.memory[key];
  if (isUnset(value)) return standard;
  const whole = typeof value === 'number' ? Math.trunc(value) : lenientInteger(value);
  if (whole !== undefined && Number.isFinite(whole)) return whole;
  const message = `A whole number is wanted, found ${nameOf(value)}.`;
  problem(reading, key, message, `Write a number, such as ${standard}.`);
  return standard;
}

function readFlag(reading: Reading, key: 'preserve_system_messages'): boolean {
  const value = reading.memory[key];
  if (isUnset(value)) return true;
  const flag = lenientBoolean(value);
  if (flag !== undefined) return flag;
  problem(reading, key, `true or false is wanted, found ${nameOf(value)}.`, 'Write true or false.');
  return true;
}

/** The function or agent that serves the memory; empty when it names none, which is then a finding. */
function readPart(
  reading: Reading,
  key: 'summarizer' | 'retriever',
): { readonly ref: string; readonly by: 'function' | 'agent' } {
  const part = reading.memory[key];
  const ref = isObject(part) ? part['ref'] : undefined;
  const { functions, agents } = reading.components;
  const name = typeof ref === 'string' ? ref : '';
  if (named(functions, name) !== undefined) return { ref: name, by: 'function' };
  if (key === 'summarizer' && named(agents, name) !== undefined) return { ref: name, by: 'agent' };
  const known = key === 'summarizer' ? { ...functions, ...agents } : functions;
  const what = key === 'summarizer' ? 'function or agent' : 'function';
  const message = `${key}.ref names no ${what} of the components.`;
  const advice = meant(name, Object.keys(known), `Set ${key}.ref to a ${what}.`);
  problem(reading, `${key}.ref`, message, advice);
  return { ref: name, by: 'function' };
}

/**
 * How an agent's memory works; null without one. What cannot be applied is a finding, never a
 * silent fallback.
 */
export function readMemory(
  agent: Agent,
  path: string,
  components: Reading['components'],
  findings: Diagnostic[],
): MemorySetting | null {
  const { memory } = agent;
  if (memory === null || Object.keys(memory).length === 0) return null;
  const reading: Reading = { memory, path, components, findings };
  const { policy } = memory;
  switch (policy) {
    case 'full':
      return { policy };
    case 'sliding_window':
      return {
        policy,
        max_messages: readCount(reading, 'max_messages', 20),
        keep_system: readFlag(reading, 'preserve_system_messages'),
      };
    case 'summary':
      return { policy, ...readPart(reading, 'summarizer') };
    case 'retrieval':
      return {
        policy,
        ref: readPart(reading, 'retriever').ref,
        top_k: readCount(reading, 'top_k', 5),
      };
    default: {
      const shown = typeof policy === 'string' ? `"${policy}"` : nameOf(policy);
      const words = VALUES.memory.join(', ');
      const word = typeof policy === 'string' ? policy : '';
      const advice = meant(word, VALUES.memory, `Use one of: ${words}.`);
      problem(reading, 'policy', `There is no memory policy ${shown}.`, advice);
      return null;
    }
  }
}
