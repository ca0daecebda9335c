import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { sketchFunction } from './function-sketch.ts';

const DRAFT: JsonObject = {
  components: { functions: { '7_send': { implementation: 'imported.7_send' } } },
  tools: {
    look_up: {
      implementation: 'imported.look_up',
      parameters: { type: 'object', properties: { id: { type: 'integer' }, 'of day': {} } },
    },
    other: { mcp: { server: 's' } },
  },
  metadata: {
    flow: {
      steps: {
        '7_send': {
          name: 'Send */ it\nnow',
          parameters: { to: '+43', tags: ['a', 1], 'is urgent': true, nested: { deep: null } },
        },
      },
    },
  },
};

describe('code to begin with', () => {
  test('has the settings of the source as a type and as values, and hands items on', () => {
    const sketch = sketchFunction(DRAFT, { kind: 'function', name: '7_send' });
    expect(sketch?.module).toBe('step_7_send');
    expect(sketch?.path).toEqual(['components', 'functions', '7_send', 'implementation']);
    expect(sketch?.code).toContain(`export interface Settings {
  to: string;
  tags: (string | number)[];
  "is urgent": boolean;
  nested: {
    deep: null;
  };
}`);
    expect(sketch?.code).toContain('"to": "+43"');
    expect(sketch?.code.split('\n')[0]).toBe('// Send    it now');
    expect(sketch?.test('step_7_send_2')).toContain("from './step_7_send_2.ts'");
  });

  test('of a tool takes what the model gives', () => {
    const sketch = sketchFunction(DRAFT, { kind: 'tool', name: 'look_up' });
    expect(sketch?.code).toContain('  id?: number;\n  "of day"?: unknown;');
    expect(sketch?.code).not.toContain('Settings');
  });

  test('there is none for what the draft does not call as code', () => {
    expect(sketchFunction(DRAFT, { kind: 'tool', name: 'other' })).toBeUndefined();
    expect(sketchFunction(DRAFT, { kind: 'function', name: 'gone' })).toBeUndefined();
  });
});
