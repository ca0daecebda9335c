import { afterAll, describe, expect, test } from 'vitest';
import { createCli, GREETER } from '../../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

cli.write('old.yaml', GREETER);
cli.write('same.yaml', `# a note\n${GREETER}`);
cli.write(
  'new.yaml',
  GREETER.replace(
    'version: v1',
    'version: v1\ntools: {ls: {description: List., implementation: os.ls}}',
  ),
);
cli.write('broken.yaml', 'a: [');

describe('diff', { timeout: 60_000 }, () => {
  test('layout is no change in behaviour', async () => {
    const { code, stdout } = await cli.run(['diff', 'old.yaml', 'same.yaml', '--exit-code']);
    expect(code).toBe(0);
    expect(stdout).toContain('No change in behaviour');
  });

  test('what is gained is told, and the exit code says that something is', async () => {
    const { code, stdout } = await cli.run(['diff', 'old.yaml', 'new.yaml', '--exit-code']);
    expect(code).toBe(1);
    expect(stdout).toContain('May do more, or is watched less\n  tool "ls" was added');
  });

  test('as JSON and as Markdown', async () => {
    const json = await cli.run(['diff', 'old.yaml', 'new.yaml', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      same_behaviour: false,
      changes: [{ change: 'added', block: 'tool', path: 'tools.ls', privilege: 'gained' }],
    });
    const markdown = await cli.run(['diff', 'old.yaml', 'new.yaml', '--markdown']);
    expect(markdown.stdout).toBe('### May do more, or is watched less\n\n- tool "ls" was added\n');
  });

  test('a text that is no spec is refused by its name', async () => {
    const { code, stderr } = await cli.run(['diff', 'old.yaml', 'broken.yaml']);
    expect(code).toBe(1);
    expect(stderr).toContain('broken.yaml cannot be read as a spec');
  });
});
