import { afterEach, describe, expect, it } from 'vitest';
import { localStore } from '../../desktop/local-store.ts';
import { conversionOf, conversionStore } from './import-choice.ts';
import { judgeFile } from './reimport-model.ts';

describe('how a source is converted', () => {
  afterEach(() => conversionStore.set('extended'));

  it('is remembered, and asked of sources that have a choice', () => {
    conversionStore.set('strict');
    expect(localStore.get('import-conversion')).toBe('"strict"');
    expect(conversionOf('n8n', conversionStore.get())).toBe('strict');
    expect(conversionOf('flowise', conversionStore.get())).toBe('extended');
  });
});

describe('a file for an import that is made again', () => {
  const earlier = { source: 'n8n', sha: 'a' };
  const file = (name: string, text: string | null) => ({ name, text, size: 1, problem: null });

  it('is the one of before, a later version of it, or no export of that tool', () => {
    expect(judgeFile(file('x.json', '{}'), 'a', earlier)).toMatchObject({ same: true });
    expect(judgeFile(file('x.json', '{}'), 'b', earlier)).toMatchObject({ same: false });
    expect(judgeFile(file('renamed.txt', '?'), 'a', earlier)).toMatchObject({ usable: true });
    expect(judgeFile(file('x.yml', 'app: x'), 'b', earlier)).toMatchObject({ usable: false });
    expect(judgeFile(file('x.json', null), '', earlier)).toMatchObject({ usable: false });
  });
});
