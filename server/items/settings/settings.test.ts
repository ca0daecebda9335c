import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../kernel/json.ts';
import { serviceVersions } from '../../services/find-row.ts';
import { OWN_SERVICES } from '../../services/own/own-services.ts';
import { N8N_TRIGGERS } from '../n8n-triggers.ts';
import { N8N_STEP_TYPES } from '../n8n-types.ts';
import { settingsPage } from './settings-page.ts';
import { LISTED_TYPES, settingsOf, settingsOfStep } from './step-settings.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const TRIGGERS: ReadonlySet<string> = new Set(N8N_TRIGGERS);

it('docs/handlers-settings.md is that of the table; `node scripts/handler-settings.mjs` writes it', () => {
  const file = path.join(ROOT, 'docs/handlers-settings.md');
  expect(readFileSync(file, 'utf8')).toBe(settingsPage());
});

it('every built-in step but triggers has its settings listed, and no other has', () => {
  const services = new Set([...serviceVersions().keys(), ...OWN_SERVICES.map(({ type }) => type)]);
  const steps = Object.keys(N8N_STEP_TYPES).filter(
    (type) => !TRIGGERS.has(type) && !services.has(type),
  );
  const unlisted = steps.filter((type) => settingsOf(type) === undefined && !/Trigger$/.test(type));
  expect(unlisted).toEqual([]);
  const names = new Set(Object.keys(N8N_STEP_TYPES).map((type) => type.split('.').at(-1)));
  expect(LISTED_TYPES.filter((name) => !names.has(name))).toEqual([]);
});

it("of a vendor's node with a handler of its own those of its operation are listed", () => {
  for (const { type, of } of OWN_SERVICES) {
    for (const [key, { settings }] of Object.entries(of)) {
      const [resource, operation] = key.split('/');
      const parameters = { resource, operation };
      const known = settingsOfStep({ type, version: 99, parameters }) ?? {};
      expect(known['operation']?.values, key).toContain(operation);
      expect(known['resource']?.values, key).toContain(resource);
      for (const path of settings) expect(known, key).toHaveProperty(path.split('.')[0] ?? '');
    }
  }
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
