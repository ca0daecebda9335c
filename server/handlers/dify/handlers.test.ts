import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIFY_ENTRIES, DIFY_STEP_TYPES, difyType } from '../../items/dify-types.ts';
import { DIFY_HANDLERS } from './handlers.ts';

describe('the table of types of Dify', () => {
  it('has exactly those that have a handler', () => {
    expect(DIFY_STEP_TYPES.map(difyType).sort()).toEqual(Object.keys(DIFY_HANDLERS).sort());
  });

  it('is told whole in docs/handlers.md, but for triggers', () => {
    const page = readFileSync(new URL('../../../docs/handlers.md', import.meta.url), 'utf8');
    const named = new Set(page.match(/`dify\.[\w-]+`/g));
    const types = DIFY_STEP_TYPES.filter((type) => !DIFY_ENTRIES.includes(type)).concat('start');
    expect(types.filter((type) => !named.has(`\`${difyType(type)}\``))).toEqual([]);
  });
});
