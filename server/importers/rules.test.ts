import { describe, expect, it } from 'vitest';
import { looksSecret } from '../kernel/secret-names.ts';
import { draftName } from './draft-name.ts';
import { severityOf } from './gaps/gap-kinds.ts';
import { ANALYZER_VERSION, analyzerAge, compareVersions } from './versions.ts';

const HASH = '0123456789abcdef'.repeat(4);

describe('the name of a draft', () => {
  it.each([
    ['Warranty Desk (final).JSON', 'warranty-desk-final.yaml'],
    ['../../etc/passwd', 'passwd.yaml'],
    ['C:\\temp\\Größe.yml', 'große.yaml'.normalize('NFKD').replace(/[^\0-\x7f]/g, '')],
    ['nul.json', 'import-0123456789ab.yaml'],
    ['sk-proj-Ab3dEf6hIj9kLm2nOp5q.json', 'import-0123456789ab.yaml'],
    ['password: hunter22.json', 'import-0123456789ab.yaml'],
    ['日本語.json', 'json.yaml'],
    ['', 'import-0123456789ab.yaml'],
    [null, 'import-0123456789ab.yaml'],
    ['a'.repeat(200), `${'a'.repeat(96)}.yaml`],
  ])('%s becomes %s', (source, name) => {
    expect(draftName(source, HASH)).toBe(name);
  });
});

describe('versions', () => {
  it('order by semantic precedence, with or without a source', () => {
    expect(compareVersions('n8n@1.0.0', 'n8n@1.0.1')).toBeLessThan(0);
    expect(compareVersions('1.10.0', '1.9.0')).toBeGreaterThan(0);
    expect(compareVersions('1.0.0-rc.1', '1.0.0')).toBeLessThan(0);
    expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
    expect(compareVersions('54', '1.0.0')).toBeUndefined();
  });

  it('tell the age of an analysis', () => {
    expect([ANALYZER_VERSION, '0.9.9', '2.0.0', '54'].map(analyzerAge)).toEqual([
      'current',
      'older',
      'newer',
      'unknown',
    ]);
  });
});

describe('the severity of a gap', () => {
  const blocking = [
    'proprietary_node expression memory branching_shape subworkflow external_service inline_secret',
    'deterministic_tool offered_tool_not_bound tool_without_backing unbounded_loop no_entry',
    'agent_execution_mode_not_carried unreachable_from_entry divergent_entry something_new',
    'error_route_not_carried execution_setting containment_not_carried source_cannot_run',
  ].flatMap((line) => line.split(' '));
  const manual = ['model_unresolved', 'ambiguous_binding', 'run_input', 'source_repaired'];

  it('is the one of its kind', () => {
    for (const kind of blocking) expect([kind, severityOf({ kind })]).toEqual([kind, 'blocking']);
    for (const kind of manual) expect([kind, severityOf({ kind })]).toEqual([kind, 'manual']);
    for (const kind of ['deactivated_node', 'annotation', 'version_assumed']) {
      expect(severityOf({ kind })).toBe('info');
    }
  });

  it('is never lowered by the importer for a kind that has its own', () => {
    for (const kind of blocking.filter((k) => k !== 'something_new')) {
      expect(severityOf({ kind, severity: 'info' })).toBe('blocking');
    }
  });

  it('depends on what is known of a parameter, a trigger and a missing start', () => {
    const kind = 'parameters_not_carried';
    expect(severityOf({ kind })).toBe('manual');
    expect(severityOf({ kind, effective: false })).toBe('info');
    expect(severityOf({ kind, provenance: 'source_default' })).toBe('info');
    const prompt = { kind, subject: 'system_prompt', provenance: 'authored' } as const;
    expect(severityOf(prompt)).toBe('blocking');
    const entry = 'entry_mechanism_not_carried';
    expect(severityOf({ kind: entry, mechanism: 'webhook' })).toBe('manual');
    expect(severityOf({ kind: entry, mechanism: 'manual' })).toBe('info');
    expect(severityOf({ kind: 'no_entry', startMayBeUnreadable: true })).toBe('manual');
  });
});

describe('a name that looks like a secret', () => {
  it('is told by its parts', () => {
    for (const name of ['apiKey', 'X-API-Key', 'client_secret', 'accessToken', 'Authorization']) {
      expect([name, looksSecret(name)]).toEqual([name, true]);
    }
    for (const name of ['maxTokens', 'key', 'sessionKey', 'authentication', 'monkey']) {
      expect([name, looksSecret(name)]).toEqual([name, false]);
    }
  });
});
