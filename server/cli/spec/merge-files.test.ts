import { afterAll, describe, expect, test } from 'vitest';
import { createCli, GREETER } from '../../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const tool = (what: string): string => `${GREETER}tools: {ls: {${what}}}\n`;
const LS = 'description: List., implementation: os.ls';

cli.write('base.yaml', tool(LS));
cli.write('ours.yaml', `# ours\n${tool(LS.replace('List.', 'Show.'))}`);
cli.write('theirs.yaml', tool(LS.replace('os.ls', 'a.ls')));
cli.write('other.yaml', tool(LS.replace('List.', 'Tell.')));
cli.write('broken.yaml', `a: [\n${tool(LS)}`);

describe('merge', { timeout: 60_000 }, () => {
  test('changes that go together: the text, and exit 0', async () => {
    const { code, stdout, stderr } = await cli.run([
      'merge',
      'base.yaml',
      'ours.yaml',
      'theirs.yaml',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`# ours\n${tool('description: Show., implementation: a.ls')}`);
  });

  test('a conflict: marks of the size that is asked for, what it is about, and exit 1', async () => {
    const words = ['merge', 'base.yaml', 'ours.yaml', 'other.yaml', '-o', 'out.yaml'];
    const { code, stdout, stderr } = await cli.run([...words, '--marker-size', '9']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('tool "ls": description is "Show." in yours and "Tell." in theirs');
    expect(cli.read('out.yaml')).toContain('<<<<<<<<< ours\n');
  });

  test('what cannot be read as a spec is merged by lines, and that is said', async () => {
    const { code, stderr } = await cli.run(['merge', 'base.yaml', 'broken.yaml', 'theirs.yaml']);
    expect(code).toBe(0);
    expect(stderr).toContain('cannot be merged by meaning; it was merged by lines');
  });

  test('what cannot be merged at all is no conflict, and writes nothing', async () => {
    const words = ['merge', 'base.yaml', 'ours.yaml', 'missing.yaml', '-o', 'never.yaml'];
    const { code, stderr } = await cli.run(words);
    expect(code).toBe(129);
    expect(stderr).toContain('missing.yaml cannot be read');
    expect(() => cli.read('never.yaml')).toThrow();
  });
});
