import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { isSensitiveKey, redactText, scrubPaths } from '../../server/kernel/redact.ts';
import { looksSecret } from '../../server/kernel/secret-names.ts';
import { secretsInText } from '../../server/kernel/secrets-in-text.ts';

// A pattern of which two beginnings of a match may read the same characters without end costs the
// square of the text: 97 KB of `eyJ-eyJ-…` held an import for seven seconds.

const root = path.resolve(import.meta.dirname, '../..');

/** Runs inside of the interpreter only, whose limit of time ends a slow match with its step. */
const CONFINED = /^server\/expressions\/guest\//;

/** Patterns that never meet a text from outside. */
const OWN_TEXTS_ONLY: ReadonlySet<string> = new Set([
  // The reference page of the repository, when it is written.
  '/(<!-- fields: ([a-z_-]+) -->\\n)[\\s\\S]*?(<!-- end -->)/g',
]);

function literalsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every pattern of the product that may read on without end. */
function patternsOf(room: string): string[] {
  const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: root });
  const product = files.filter((file) => !/\.test\.tsx?$/.test(file) && !CONFINED.test(file));
  const found = new Set(product.flatMap((file) => literalsOf(path.join(root, file))));
  return [...found].filter((text) => /[*+]|,\}/.test(text) && !OWN_TEXTS_ONLY.has(text));
}

/**
 * The checker counts characters that are read. Its limits of time are off: on a busy machine a match
 * that is slow for want of a processor counted as an attack.
 */
const COUNTED = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  seedingTimeout: null,
} as const;

/** The text that makes a pattern take more than linear time; undefined when there is none. */
async function attackOn(pattern: string): Promise<string | undefined> {
  const end = pattern.lastIndexOf('/');
  const result = await check(pattern.slice(1, end), pattern.slice(end + 1), COUNTED);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `${pattern} could not be decided: ${result.error.kind}`;
  return `${pattern} ${result.complexity.summary}: ${result.attack.pattern}`;
}

describe('every regular expression takes time that grows with the text, not with its square', () => {
  test('the checker finds one that does not', async () => {
    expect(await attackOn('/\\bey[JK][\\w-]{10,}\\.[\\w-]{10,}/g')).toMatch(/polynomial/);
    expect(await attackOn('/\\s+$/')).toMatch(/polynomial/);
  });

  test.each([
    'server/kernel',
    'server/importers',
    'server/spec',
    'server/!(kernel|importers|spec)',
    '{main,preload,renderer}',
  ])('in %s', { timeout: 300_000 }, async (room) => {
    const patterns = patternsOf(room);
    expect(patterns.length).toBeGreaterThan(3);
    const attacks: string[] = [];
    for (const pattern of patterns) {
      const attack = await attackOn(pattern);
      if (attack !== undefined) attacks.push(attack);
    }
    expect(attacks).toEqual([]);
  });
});

const SAMPLES = [
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
  'sk-proj-abcdefghijklmnopqrst',
  'sk_live_abcdefghij1',
  `ghp_${'a1'.repeat(18)}`,
  `github_pat_${'a'.repeat(22)}`,
  'glpat-abcdefghijklmnop',
  'xoxb-1234567890-abc',
  'AKIAABCDEFGHIJKLMNOP',
  `AIza${'x'.repeat(35)}`,
  `ya29.${'a'.repeat(24)}`,
  `SG.${'a'.repeat(20)}.${'b'.repeat(20)}`,
  `123456789:AA${'c'.repeat(33)}`,
  '-----BEGIN RSA PRIVATE KEY-----MIIEpAIBAAKCAQEA',
  'https://hooks.slack.com/services/T0000/B0000/abcdefghij',
  'Authorization: Bearer abc1.def2-ghi3_jkl4',
  'Token abcdefg1',
  'postgres://user:hunter2pass@host/db',
  'Set-Cookie: a=b; c=d',
  'db_password = "hunter2hunter2"',
  '\\"api_key\\": \\"q1w2e3r4t5\\"',
  '?access_token=abcdefgh1&sig=abcdefgh2',
  'first.last+tag@mail.example.com',
  '123-45-6789',
  '/home/me/project/file.txt',
  'C:\\Users\\me\\x.txt',
  '\\\\\\\\host\\share\\x',
  'client_secret_keyPassword',
];

const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['credentials of an import', secretsInText],
  ['names of an import', looksSecret],
  ['redaction of texts', redactText],
  ['redaction of keys', isSensitiveKey],
  ['scrubbing of paths', scrubPaths],
];

/** Beginnings of what is looked for, over and over: what comes close and fails costs most. */
function unitsOf(sample: string): string[] {
  const starts = [3, Math.ceil(sample.length / 2), sample.length - 1].map((n) =>
    sample.slice(0, n),
  );
  return starts.flatMap((start) => ['', '-', '.', ' ', '/'].map((between) => start + between));
}

function fastest(read: (text: string) => unknown, unit: string, size: number): number {
  const times = [0, 1, 2].map((round) => {
    // Another text in each round: readers keep the answers for those that they saw last.
    const text = `${round}${unit.repeat(size / unit.length)}`;
    const start = process.cpuUsage();
    read(text);
    // Time of this process, not of those that share the machine with it.
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe('eight times the text takes about eight times as long, not 64 times', () => {
  test.each(READERS)('%s', { timeout: 120_000 }, (_, read) => {
    const slow = SAMPLES.flatMap(unitsOf).filter((unit) => {
      const long = fastest(read, unit, 32_768);
      return long > 100 && long > 24 * fastest(read, unit, 4096);
    });
    expect(slow).toEqual([]);
  });
});
