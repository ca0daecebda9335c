import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCli, GREETER } from '../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const BAD =
  'version: v1\nagent: {name: a}\nworkflow: {type: sequential, steps: [{id: x, kind: agent, ref: nobody}]}\n';
const OLD = 'root_agent: {name: old}\n';

cli.write('greeter.yaml', GREETER);
cli.write('bad.yaml', BAD);
cli.write('broken.yaml', 'a: [');
cli.write('old.yaml', OLD);

const diagnostic = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  path: z.string().nullable(),
  suggestion: z.string().nullable(),
});
const diagnostics = z.array(diagnostic);

describe('spec words on a file (platform.md 13, 16 no. 66)', { timeout: 60_000 }, () => {
  test.each([
    ['validate', z.strictObject({ valid: z.literal(true), diagnostics })],
    [
      'lint',
      z.strictObject({
        clean: z.boolean(),
        warning_count: z.int(),
        error_count: z.int(),
        diagnostics,
      }),
    ],
    [
      'compile',
      z.object({
        ok: z.literal(true),
        diagnostics,
        summary: z.strictObject({
          has_root_agent: z.boolean(),
          has_root_workflow: z.boolean(),
          component_agents: z.array(z.string()),
        }),
      }),
    ],
    [
      'explain',
      z.strictObject({
        summary: z.strictObject({
          root_agent: z.literal('greeter'),
          root_workflow: z.literal('greeting'),
          component_agents: z.array(z.string()),
        }),
      }),
    ],
    [
      'graph',
      z.object({
        workflow_kind: z.literal('sequential'),
        nodes: z.array(z.object({ id: z.string() })).length(2),
        edges: z.array(z.unknown()).length(1),
      }),
    ],
    [
      'policy-report',
      z.strictObject({ valid: z.literal(true), report: z.object({ version: z.literal('v1') }) }),
    ],
  ] as const)('%s answers for a valid spec', async (word, shape) => {
    const json = await cli.run(['spec', word, 'greeter.yaml', '--json']);
    expect(json.stderr).toBe('');
    shape.parse(json.json);
    const plain = await cli.run(['spec', word, 'greeter.yaml']);
    expect([plain.code, plain.stdout.trim() === '']).toEqual([json.code, false]);
  });

  test.each(['validate', 'lint', 'compile', 'explain', 'graph'])(
    '%s of an invalid spec exits 1',
    async (word) => {
      const { code, stdout, stderr } = await cli.run(['spec', word, 'bad.yaml']);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('E_STEP_AGENT_REF');
    },
  );

  test('text that is no document is a finding of validate and of the policy report', async () => {
    const validate = await cli.run(['spec', 'validate', 'broken.yaml', '--json']);
    expect(validate).toMatchObject({
      code: 1,
      json: { valid: false, diagnostics: [{ code: 'E_PARSE' }] },
    });
    const report = await cli.run(['spec', 'policy-report', 'broken.yaml', '--json']);
    expect(report).toMatchObject({ code: 1, json: { valid: false, report: { valid: false } } });
  });

  test('a missing file exits 1, an unknown command and an unknown option exit 2', async () => {
    expect(await cli.run(['spec', 'validate', 'none.yaml'])).toMatchObject({
      code: 1,
      stderr: '✗ none.yaml cannot be read (ENOENT).\n',
    });
    expect((await cli.run(['spec', 'no-such-word'])).code).toBe(2);
    expect((await cli.run(['no-such-word'])).code).toBe(2);
    expect((await cli.run(['spec', 'validate', 'greeter.yaml', '--no-such'])).code).toBe(2);
    expect((await cli.run(['spec', 'validate'])).code).toBe(1);
  });

  test('migrate: --check exits 1 when something changes, JSON has its four fields', async () => {
    const check = await cli.run(['spec', 'migrate', 'old.yaml', '--check', '--json']);
    expect(check.code).toBe(1);
    expect(check.json).toEqual({
      source_version: null,
      target_version: 'v1',
      changed: true,
      applied: expect.arrayContaining(['Renamed root_agent to agent.']),
    });
    const write = await cli.run(['spec', 'migrate', 'old.yaml', '-o', 'new.yaml']);
    expect(write.code).toBe(0);
    expect(cli.read('old.yaml')).toBe(OLD);
    const again = await cli.run(['spec', 'migrate', 'new.yaml', '--check', '--json']);
    expect(again).toMatchObject({
      code: 0,
      json: { source_version: 'v1', changed: false, applied: [] },
    });
    cli.write('future.yaml', 'version: v9\n');
    expect((await cli.run(['spec', 'migrate', 'future.yaml'])).stderr).toContain(
      'Unsupported spec version',
    );
  });

  test('format keeps comments; --check and --write', async () => {
    cli.write('ugly.yaml', '# why\nversion:   v1\n\n\n\nagent:   {name: a}   # who\n');
    expect((await cli.run(['spec', 'format', 'ugly.yaml', '--check'])).code).toBe(1);
    const printed = await cli.run(['spec', 'format', 'ugly.yaml']);
    expect(printed.stdout).toContain('# why');
    expect(await cli.run(['spec', 'format', 'ugly.yaml', '--write'])).toMatchObject({ code: 0 });
    expect(cli.read('ugly.yaml')).toBe(printed.stdout);
    expect((await cli.run(['spec', 'format', 'ugly.yaml', '--check'])).code).toBe(0);
    expect((await cli.run(['spec', 'format', 'broken.yaml'])).code).toBe(1);
  });

  test('bundles: signed, verified, and refused after a change (spec-v1 19)', async () => {
    const key = { SERV_SPEC_SIGNING_KEY: 'k1' };
    const sign = [
      'spec',
      'bundle',
      'sign',
      'greeter.yaml',
      '-o',
      'bundle.json',
      '--approved-by',
      'Ada',
    ];
    expect((await cli.run(sign)).code).toBe(1);
    expect((await cli.run(sign.slice(0, 6), key)).code).toBe(2);
    const signed = await cli.run([...sign, '--json'], key);
    expect(signed.json).toMatchObject({
      kind: 'kneo.spec.bundle',
      metadata: { approved_by: 'Ada' },
    });
    expect(JSON.parse(cli.read('bundle.json'))).toEqual(signed.json);
    const verify = ['spec', 'bundle', 'verify', 'bundle.json', '--json'];
    expect(await cli.run(verify, key)).toMatchObject({
      code: 0,
      json: { valid: true, digest_valid: true, signature_valid: true, errors: [] },
    });
    // Stored secrets are none of its business: nothing of them is opened.
    const elsewhere = { ...key, SPECWRIGHT_SECRETS_PASSPHRASE_FILE: cli.file('missing') };
    const typed = 'correct horse battery\ncorrect horse battery\n';
    expect((await cli.run(['secrets', 'passphrase'], {}, typed)).code).toBe(0);
    expect((await cli.run(verify, elsewhere)).json).toMatchObject({ valid: true });
    expect(await cli.run(verify, { SERV_SPEC_SIGNING_KEY: 'k2' })).toMatchObject({
      code: 1,
      json: { valid: false, digest_valid: true, signature_valid: false },
    });
    const named = [...verify, '--key-env', 'TEAM_KEY'];
    expect(await cli.run(named, { TEAM_KEY: 'k1' })).toMatchObject({
      code: 0,
      json: { valid: true },
    });
    const unset = await cli.run(named, key);
    expect([unset.code, unset.json.signature_valid]).toEqual([1, false]);
    expect(unset.json.errors).toEqual([expect.stringContaining('TEAM_KEY')]);
    const said = await cli.run(verify.slice(0, 4), key);
    expect(said.stdout).toContain('SERV_SPEC_SIGNING_KEY');
    cli.write('bundle.json', cli.read('bundle.json').replace('greeter', 'mallory'));
    expect((await cli.run(verify, key)).json).toMatchObject({ valid: false, digest_valid: false });
    const bad = ['spec', 'bundle', 'sign', 'bad.yaml', '-o', 'b2.json', '--approved-by', 'Ada'];
    expect((await cli.run(bad, key)).code).toBe(1);
  });
});
