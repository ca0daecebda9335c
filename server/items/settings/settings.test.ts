import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../kernel/json.ts';
import { serviceVersions } from '../../services/find-row.ts';
import { N8N_TRIGGERS } from '../n8n-triggers.ts';
import { N8N_STEP_TYPES } from '../n8n-types.ts';
import { settingsPage } from './settings-page.ts';
import { LISTED_TYPES, settingsOf } from './step-settings.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const TRIGGERS: ReadonlySet<string> = new Set(N8N_TRIGGERS);

it('docs/handlers-settings.md is that of the table; `node scripts/handler-settings.mjs` writes it', () => {
  const file = path.join(ROOT, 'docs/handlers-settings.md');
  expect(readFileSync(file, 'utf8')).toBe(settingsPage());
});

it('every built-in step but triggers has its settings listed, and no other has', () => {
  const services = serviceVersions();
  const steps = Object.keys(N8N_STEP_TYPES).filter(
    (type) => !TRIGGERS.has(type) && !services.has(type),
  );
  const unlisted = steps.filter((type) => settingsOf(type) === undefined && !/Trigger$/.test(type));
  expect(unlisted).toEqual([]);
  const names = new Set(Object.keys(N8N_STEP_TYPES).map((type) => type.split('.').at(-1)));
  expect(LISTED_TYPES.filter((name) => !names.has(name))).toEqual([]);
});

function* nodesIn(value: Json): Generator<{ type: string; parameters: object }> {
  if (Array.isArray(value)) for (const part of value) yield* nodesIn(part);
  if (!isJsonObject(value)) return;
  const { type, parameters } = value;
  if (typeof type === 'string' && isJsonObject(parameters)) yield { type, parameters };
  for (const part of Object.values(value)) yield* nodesIn(part);
}

it('every setting of a step that was recorded in the real engine is listed', () => {
  const folder = path.join(ROOT, 'test/fixtures/n8n-runs');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = new Set<string>();
  let seen = 0;
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    for (const { type, parameters } of nodesIn(
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
    )) {
      const known = TRIGGERS.has(type) ? undefined : settingsOf(type);
      if (known === undefined || !Object.hasOwn(N8N_STEP_TYPES, type)) continue;
      seen += 1;
      for (const name of Object.keys(parameters)) {
        if (!Object.hasOwn(known, name)) found.add(`${type} ${name}`);
      }
    }
  }
  expect(seen).toBeGreaterThan(100);
  expect([...found]).toEqual([]);
});
