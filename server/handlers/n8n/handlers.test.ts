import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInName } from '../../contract/flow.ts';
import { N8N_TRIGGERS } from '../../items/n8n-triggers.ts';
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

  it('is told whole in docs/handlers.md and docs/services.md, but for triggers', () => {
    const pages = ['handlers', 'services'].map((name) =>
      readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'),
    );
    const named = new Set(pages.join('').match(/`n8n\.\w+`/g));
    const types = Object.keys(N8N_STEP_TYPES).filter((type) => !N8N_TRIGGERS.includes(type));
    const missing = types.filter((type) => !named.has(`\`${builtInName(type)}\``));
    expect(missing).toEqual([]);
  });
});
