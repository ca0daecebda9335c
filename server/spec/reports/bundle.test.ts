import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { emitYaml } from '../yaml/emit-yaml.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { signBundle, verifyBundle } from './bundle.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const KEY = 'a key of the team';
const keyOf = (): string => KEY;

function sign(spec: JsonObject) {
  return signBundle({
    spec,
    approved_by: 'Ada',
    environment: 'prod',
    created_at: '2026-11-21T08:00:00.000000+00:00',
    key_id: 'TEAM_KEY',
    key: KEY,
  });
}

const whole = { valid: true, digest_valid: true, signature_valid: true, errors: [] };

describe('spec-v1 19: bundles', () => {
  test('the shape, the digest and the signature are those of the contract', () => {
    const bundle = sign({ version: 'v1', agent: { name: 'é', defaults: {} } });
    const spec = '{"agent":{"defaults":{},"name":"é"},"version":"v1"}';
    const digest = createHash('sha256').update(spec).digest('hex');
    const unsigned =
      `{"digest":{"algorithm":"SHA256","value":"${digest}"},"kind":"kneo.spec.bundle",` +
      '"metadata":{"approved_by":"Ada","created_at":"2026-11-21T08:00:00.000000+00:00",' +
      `"environment":"prod"},"spec":${spec},"version":"v1"}`;
    expect(bundle).toEqual({
      kind: 'kneo.spec.bundle',
      version: 'v1',
      metadata: {
        approved_by: 'Ada',
        environment: 'prod',
        created_at: '2026-11-21T08:00:00.000000+00:00',
      },
      spec: { version: 'v1', agent: { name: 'é', defaults: {} } },
      digest: { algorithm: 'SHA256', value: digest },
      signature: {
        algorithm: 'HMAC-SHA256',
        key_id: 'TEAM_KEY',
        value: createHmac('sha256', KEY).update(unsigned).digest('hex'),
      },
    });
  });

  test('the spec is signed migrated', () => {
    const { value } = parseSpecText(readFileSync(join(SPECS, 'legacy-v0.yaml'), 'utf8'), 'yaml');
    const bundle = sign(value ?? {});
    expect(bundle.spec['version']).toBe('v1');
    expect(bundle.spec['agent']).toBeDefined();
    expect(verifyBundle(JSON.stringify(bundle), 'json', keyOf)).toEqual(whole);
  });

  test('what was signed verifies from any layout of JSON, and from YAML with plain numbers', () => {
    const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
    const value = fc.letrec((tie) => ({
      any: fc.oneof(numbers, fc.string(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
      list: fc.array(tie('any'), { maxLength: 3 }),
      map: fc.dictionary(fc.string(), tie('any'), { maxKeys: 3 }),
    }));
    fc.assert(
      fc.property(value.map, (metadata) => {
        fc.pre(!JSON.stringify(metadata).match(/[0-9]{16}/));
        const bundle = sign({ version: 'v1', metadata } as JsonObject);
        expect(verifyBundle(JSON.stringify(bundle, null, 2), 'json', keyOf)).toEqual(whole);
        if (/[0-9]e[-+]/.test(JSON.stringify(metadata))) return;
        const yaml = emitYaml(bundle as unknown as JsonObject);
        expect(verifyBundle(yaml, 'yaml', keyOf)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  test('numbers count as they are spelled, so a bundle signed elsewhere with 1.0 verifies', () => {
    const spec = '{"agent":{"model":{"name":"m","temperature":1.0}},"version":"v1","x":[1e3,-0.0]}';
    const digest = createHash('sha256').update(spec).digest('hex');
    const rest =
      `"kind":"kneo.spec.bundle","metadata":{"approved_by":"A","created_at":"t","environment":null},` +
      `"spec":${spec},"version":"v1"`;
    const unsigned = `{"digest":{"algorithm":"SHA256","value":"${digest}"},${rest}}`;
    const value = createHmac('sha256', KEY).update(unsigned).digest('hex');
    const text = `{"signature":{"algorithm":"HMAC-SHA256","key_id":"K","value":"${value}"},${unsigned.slice(1)}`;
    expect(verifyBundle(text, 'json', keyOf)).toEqual(whole);
    const respelled = verifyBundle(text.replace('1.0', '1'), 'json', keyOf);
    expect(respelled).toMatchObject({ valid: false, digest_valid: false, signature_valid: false });
    expect(respelled.errors).toHaveLength(2);
  });

  test('the key is asked for by the name in the bundle, the standard name when it has none', () => {
    const bundle = sign({ version: 'v1' });
    const asked: string[] = [];
    const ask = (name: string): string | undefined => {
      asked.push(name);
      return undefined;
    };
    const found = verifyBundle(JSON.stringify(bundle), 'json', ask);
    expect(found).toMatchObject({ valid: false, digest_valid: true, signature_valid: false });
    verifyBundle(
      JSON.stringify({ ...bundle, signature: { ...bundle.signature, key_id: '' } }),
      'json',
      ask,
    );
    expect(asked).toEqual(['TEAM_KEY', 'SERV_SPEC_SIGNING_KEY']);
    expect(verifyBundle(JSON.stringify(bundle), 'json', () => 'another').signature_valid).toBe(
      false,
    );
    expect(verifyBundle(JSON.stringify(bundle), 'json', () => '').signature_valid).toBe(false);
    expect(() => signBundle({ ...sign({}), spec: {}, key: '', key_id: 'K' } as never)).toThrow(
      TypeError,
    );
  });

  test.each<[string, (bundle: Record<string, JsonObject>) => void, boolean, boolean]>([
    ['a changed spec', (b) => Object.assign(b['spec'] ?? {}, { extra: 1 }), false, false],
    [
      'a changed approver',
      (b) => Object.assign(b['metadata'] ?? {}, { approved_by: 'X' }),
      true,
      false,
    ],
    ['an added key', (b) => Object.assign(b, { note: {} }), true, false],
    [
      'another digest algorithm',
      (b) => Object.assign(b['digest'] ?? {}, { algorithm: 'MD5' }),
      false,
      false,
    ],
    [
      'another signature algorithm',
      (b) => Object.assign(b['signature'] ?? {}, { algorithm: 'none' }),
      true,
      false,
    ],
    ['no signature', (b) => void delete b['signature'], true, false],
    ['no digest', (b) => void delete b['digest'], false, false],
    ['no spec', (b) => void delete b['spec'], false, false],
    [
      'a signature of a wrong length',
      (b) => Object.assign(b['signature'] ?? {}, { value: 'ff' }),
      true,
      false,
    ],
    [
      'a signature that is no text',
      (b) => Object.assign(b['signature'] ?? {}, { value: 1 }),
      true,
      false,
    ],
    ['a signature that is a list', (b) => Object.assign(b, { signature: [] }), true, false],
  ])('%s does not verify', (_, change, digest_valid, signature_valid) => {
    const bundle = JSON.parse(JSON.stringify(sign({ version: 'v1', agent: { name: 'a' } })));
    change(bundle);
    const found = verifyBundle(JSON.stringify(bundle), 'json', keyOf);
    expect(found).toMatchObject({ valid: false, digest_valid, signature_valid });
    expect(found.errors.length).toBeGreaterThan(0);
  });

  test('a key may not be signed twice over: the last of equal keys counts, as when it is read', () => {
    const text = JSON.stringify(sign({ version: 'v1' })).replace(
      '"spec":{',
      '"spec":{"version":"v0",',
    );
    expect(verifyBundle(text, 'json', keyOf)).toEqual(whole);
  });

  test('text that is no bundle says what is wrong', () => {
    expect(verifyBundle('{"kind"', 'json', keyOf)).toMatchObject({ valid: false });
    expect(verifyBundle('[]', 'json', keyOf).errors).toHaveLength(1);
    expect(verifyBundle('{"a":1}', 'json', keyOf).errors).toHaveLength(4);
  });
});
