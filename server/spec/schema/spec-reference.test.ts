import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { compileSpec } from '../compile/compile.ts';
import { graphView } from '../graph/graph-view.ts';
import { topologyOf } from '../graph/topology.ts';
import { loadSpec } from '../load/load-spec.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { BLOCKS } from './help.ts';
import { withTables } from './reference-table.ts';

const docs = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(docs, 'spec-v1.md'), 'utf8');
const contract = readFileSync(join(docs, 'contract/spec-v1.md'), 'utf8');
const examples = [...page.matchAll(/^```yaml ?(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', text = ''], index) => ({ index, kind, text }),
);
const read = (text: string): JsonObject => parseSpecText(text, 'yaml').value ?? {};
const base = read(examples.find(({ kind }) => kind === 'base')?.text ?? '');

describe('docs/spec-v1.md', () => {
  test('the tables are those of the language; `node scripts/spec-reference.mjs` writes them', () => {
    expect(withTables(page)).toBe(page);
    expect(() => withTables('<!-- fields: nothing -->\n<!-- end -->')).toThrow(TypeError);
  });

  test('a numbered section tells the section of the contract that has its number', () => {
    const numbersIn = (text: string) =>
      [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number);
    const numbers = numbersIn(page);
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbersIn(contract)).toEqual(expect.arrayContaining(numbers));
    const ascending = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(numbers).toEqual(ascending);
  });

  test('every block has its table, and every field of it is used in an example', () => {
    const used = examples.map(({ text }) => text).join('\n');
    for (const name of Object.keys(BLOCKS)) expect(page).toContain(`<!-- fields: ${name} -->`);
    const rare = new Set(
      'history middleware stop_on_tool_error parallel_tool_calls adapter_ref bridge_provider top_k retriever preserve_system_messages target mode exclude allow_filesystem_read allow_filesystem_write allow_shell output_schema cwd message_url headers max_response_bytes sse_read_timeout verify ca_bundle client_cert client_key client_key_ref'.split(
        ' ',
      ),
    );
    const unused = Object.values(BLOCKS).flatMap(({ fields }) =>
      Object.keys(fields).filter((key) => !rare.has(key) && !new RegExp(`\\b${key}:`).test(used)),
    );
    expect(unused).toEqual([]);
  });

  test.each(examples)('example $index compiles and can be drawn', ({ kind, text }) => {
    const { value, problems } = parseSpecText(text, 'yaml');
    expect(problems).toEqual([]);
    const overlays = kind === '' ? [value ?? {}] : [];
    const loaded = loadSpec({ base: kind === '' ? base : (value ?? {}), overlays });
    expect(loaded.diagnostics).toEqual([]);
    if (loaded.spec === undefined) throw new Error('not loaded');
    const compiled = compileSpec(loaded.spec);
    expect(compiled.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(compiled.diagnostics.map(({ code }) => code)).not.toContain('W_GRAPH_NODE_UNREACHABLE');
    expect(compiled).toMatchObject({ ok: true, refusal: null });
    expect(topologyOf(loaded.spec).nodes.length).toBeGreaterThan(0);
    expect(graphView(loaded.spec).nodes.length > 0).toBe(loaded.spec.workflow !== null);
  });

  test('every code that the rules give is explained, and no other', () => {
    const room = join(import.meta.dirname, '..');
    const sources = readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(room, file), 'utf8'));
    const codes = (text: string): Set<string> => new Set(text.match(/\b[EWI]_[A-Z_]+[A-Z]\b/g));
    const given = new Set(
      sources.flatMap((text) => [...text.matchAll(/'([EWI]_[A-Z_]+)'/g)].map(([, code]) => code)),
    );
    const outside = new Set([
      'E_HANDLER_NOT_FOUND',
      'E_HANDLER_UNTRUSTED',
      'E_SECRET_REFUSED',
      'E_MCP_SECRET_MISSING',
      'E_SKILL_SOURCE',
      'W_CREDENTIAL_UNBOUND',
      'W_MODEL_OFFLINE',
    ]);
    const explained = [...codes(page)].filter((code) => !outside.has(code));
    expect(explained.sort()).toEqual([...given].sort());
  });
});
