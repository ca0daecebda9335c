import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCrews, joinCrew } from './crew-files.ts';
import { sourceOfFile } from './source-of-file.ts';

const FIXTURES = new URL('../../../test/fixtures/', import.meta.url);

describe('the tool that a file comes from', () => {
  it.each(['n8n', 'public-n8n', 'dify', 'crewai', 'flowise'])(
    '%s: by name and content',
    (folder) => {
      const at = new URL(`${folder}/`, FIXTURES);
      const files = readdirSync(at).filter((name) => /\.(?:json|ya?ml)$/.test(name));
      for (const name of files.filter((file) => !file.startsWith('refused'))) {
        const text = readFileSync(new URL(name, at), 'utf8');
        expect([name, sourceOfFile(name, text)]).toEqual([name, folder.replace('public-', '')]);
      }
    },
  );

  it('is not known without a name that says so, or a text that does', () => {
    expect(sourceOfFile('notes.txt', 'Hello')).toBeUndefined();
    expect(sourceOfFile('flow', ' {"nodes": []}')).toBe('n8n');
  });
});

describe('the two files of a CrewAI project', () => {
  it('are one source, called after the folder of the project', () => {
    const paths = [
      'desk/src/desk/config/agents.yaml',
      'desk/src/desk/config/tasks.yaml',
      'other/agents.yml',
      'agents.yaml',
      'tasks.YML',
    ];
    expect([...findCrews(paths).values()]).toEqual([
      { agents: paths[0], tasks: paths[1], path: 'desk/src/desk/config/desk.yaml' },
      { agents: 'agents.yaml', tasks: 'tasks.YML', path: 'crew.yaml' },
    ]);
    expect(joinCrew('a: 1', 'b: 2')).toBe('a: 1\n---\nb: 2');
  });
});
