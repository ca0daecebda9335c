import { describe, expect, it } from 'vitest';
import { createDiagnosticsClient } from './diagnostics-client.ts';
import type { SpecAnalysis } from './spec-protocol.ts';

const analysis = (text: string): SpecAnalysis => ({
  diagnostics: [
    { code: text, severity: 'info', message: '', suggestion: null, path: null, range: null },
  ],
  graph: null,
  parsed: true,
  nodeRanges: {},
  lineRanges: {},
  outline: [],
  offlineAgents: [],
  flow: null,
  standIns: [],
  credentials: [],
  editing: null,
  milliseconds: 0,
});

describe('diagnostics client', () => {
  it('asks for the newest text only and drops an answer that a newer text overtook', async () => {
    const asked: string[] = [];
    const seen: [string | undefined, number][] = [];
    const gates: (() => void)[] = [];
    const done = Promise.withResolvers<void>();
    const client = createDiagnosticsClient(
      'a.yaml',
      {
        onStart: () => undefined,
        onResult: (result, version) => {
          seen.push([result.diagnostics[0]?.code, version]);
          done.resolve();
        },
        onFailure: (error) => done.reject(error),
      },
      async ({ text }) => {
        asked.push(text);
        const gate = Promise.withResolvers<void>();
        gates.push(gate.resolve);
        if (asked.length === 1) {
          client.push('second', 2);
          client.push('third', 3);
          gate.resolve();
        } else {
          gate.resolve();
        }
        await gate.promise;
        return analysis(text);
      },
      0,
    );
    client.push('first', 1);
    await done.promise;
    expect(asked).toEqual(['first', 'third']);
    expect(seen).toEqual([['third', 3]]);
    client.dispose();
  });
});
