import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Cli, createCli, GREETER } from '../../../test/support/cli.ts';

const made: Cli[] = [];
function fresh(): Cli {
  const cli = createCli();
  made.push(cli);
  return cli;
}
afterAll(() => {
  for (const cli of made) cli.dispose();
});

const SHOUTING = `version: v1
agent: {name: desk}
workflow: {type: sequential, name: shouting, steps: [{id: shout, kind: function, ref: shout}]}
components: {functions: {shout: {implementation: words.shout}}}
`;
const SHOUT = 'export const shout = (text: string): string => text.toUpperCase();\n';
const KEYED = `version: v1
agent: {name: desk, model: {provider: openai, name: m, extra: {api_key_ref: DESK_KEY}}}
`;

describe('bundle: from one machine to another', { timeout: 90_000 }, () => {
  test('packed, proved and run with one command; its code only for a known signer', async () => {
    const here = fresh();
    here.write('shouting.yaml', SHOUTING);
    here.write('functions/words.ts', SHOUT);
    expect(await here.run(['bundle', 'keygen', 'own'])).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(here.file('own.key')).mode & 0o077).toBe(0);
    expect(await here.run(['bundle', 'keygen', 'own'])).toMatchObject({ code: 1 });
    const packed = await here.run(['bundle', 'shouting.yaml', '--sign', 'own.key', '--json']);
    expect(packed, packed.stderr).toMatchObject({ code: 0 });
    expect(packed.json.needs.functions).toEqual(['words.shout']);
    expect(
      await here.run(['bundle', 'shouting.yaml', '-o', 'again', '--sign', 'own.key']),
    ).toMatchObject({ code: 0 });
    const bytes = readFileSync(here.file('shouting.specbundle'));
    expect(readFileSync(here.file('again')).equals(bytes)).toBe(true);

    const there = fresh();
    writeFileSync(there.file('b.zip'), bytes);
    there.write('own.pub', here.read('own.pub'));
    const proved = await there.run(['bundle', 'verify', 'b.zip', '--key', 'own.pub', '--json']);
    expect(proved.json).toMatchObject({ valid: true, signer: { expected: true } });
    const words = ['bundle', 'run', 'b.zip', '--input', 'hello'];
    const unknown = await there.run(words);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('signed by an unknown key');
    expect(unknown.stderr).toContain('E_HANDLER_UNTRUSTED');
    expect(await there.run([...words, '--trust-key', 'own.pub'])).toMatchObject({
      code: 0,
      stdout: 'HELLO\n',
    });
    expect(await there.run([...words, '--trust'])).toMatchObject({ code: 0, stdout: 'HELLO\n' });

    await here.run(['bundle', 'keygen', 'other']);
    there.write('other.pub', here.read('other.pub'));
    const confused = await there.run([...words, '--trust-key', 'other.pub', '--trust']);
    expect(confused).toMatchObject({ code: 1, stdout: '' });
    expect(confused.stderr).toContain('signer_unexpected');
    const evil = Buffer.from(bytes);
    evil.write('toLowerCase', evil.indexOf('toUpperCase'));
    writeFileSync(there.file('b.zip'), evil);
    const refused = await there.run([...words, '--trust']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/file_changed|not_a_bundle/);
  });

  test('unsigned: runs without code; names what is missing before anything runs; leaves nothing', async () => {
    const cli = fresh();
    cli.write('greeter.yaml', GREETER);
    cli.write('keyed.yaml', KEYED);
    expect(await cli.run(['bundle', 'greeter.yaml'])).toMatchObject({ code: 0 });
    const ran = await cli.run([
      'bundle',
      'run',
      'greeter.specbundle',
      '-i',
      'hello',
      '--into',
      'kept',
    ]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('not signed');
    expect(readdirSync(cli.file('kept'))).toEqual(['spec.yaml']);
    expect(await cli.run(['bundle', 'run', 'greeter.specbundle', '--into', 'kept'])).toMatchObject({
      code: 1,
    });
    await cli.run(['bundle', 'keyed.yaml']);
    const missing = await cli.run([
      'bundle',
      'run',
      'keyed.specbundle',
      '-i',
      'hello',
      '--target',
      'agent',
    ]);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('missing secret: DESK_KEY');
    const runs = await cli.run(['runs', 'list', '--json']);
    expect(runs.json.runs).toHaveLength(1);
    const unsigned = await cli.run(['bundle', 'verify', 'keyed.specbundle', '--key', 'no.pub']);
    expect(unsigned).toMatchObject({ code: 1 });
    expect(path.basename(cli.file('kept'))).toBe('kept');
  });
});
