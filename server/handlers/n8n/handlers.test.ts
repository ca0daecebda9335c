import { describe, expect, it } from 'vitest';
import { N8N_STEP_TYPES } from '../../items/n8n-types.ts';
import { N8N_HANDLERS } from './handlers.ts';

describe('the table of types', () => {
  it('has exactly those that have a handler', () => {
    expect(Object.keys(N8N_STEP_TYPES).sort()).toEqual(Object.keys(N8N_HANDLERS).sort());
  });

  it('says for each which versions it knows, and how many ways go in and out', () => {
    for (const [type, { versions, inputs, outputs }] of Object.entries(N8N_STEP_TYPES)) {
      expect(versions[0], type).toBeLessThanOrEqual(versions[1]);
      for (const ways of [inputs, outputs]) expect(ways === 'settings' || ways >= 0).toBe(true);
    }
  });
});
