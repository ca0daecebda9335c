import type { Json } from '../../kernel/json.ts';
import { isObject } from '../../kernel/json.ts';
import type { TestHandlers } from './drive.ts';

function queryOf(args: Json | undefined): string {
  return isObject(args) ? String(args['query']) : '';
}

/** The functions and tools that the sample specs name (EXPECTED.md); fresh ones for each run. */
export function sampleFunctions(): TestHandlers {
  const seen = new Set<string>();
  const text = (value: Json | undefined) => String(value);
  return {
    'sample_steps.tidy': (input) => text(input).split(/\s+/).filter(Boolean).join(' '),
    'sample_steps.stamp': (input) => `[stamped] ${text(input)}`,
    'sample_steps.shout': (input) => text(input).toUpperCase(),
    'sample_steps.always_fails': () => {
      throw new Error('backend offline');
    },
    'sample_steps.fails_once': (input) => {
      if (seen.has(text(input))) return `recovered: ${text(input)}`;
      seen.add(text(input));
      throw new Error('first attempt fails');
    },
    'sample_steps.web_search': (args) => `Hits for ${queryOf(args)}`,
    'sample_steps.crm_lookup': (args) => `Customer ${queryOf(args)}: tax id 123-45-6789`,
    'sample_steps.allows_text': (input) => !text(input).toLowerCase().includes('forbidden'),
    'sample_steps.pick_notes': (query, top) => `${text(top)} notes about ${text(query)}`,
    'sample_steps.condense': (input) => `${[...text(input)].length} characters of history`,
  };
}
