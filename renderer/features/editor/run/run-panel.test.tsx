import { expect, test } from 'vitest';
import { drawn } from '../../../../test/support/drawn.ts';
import { registerHandler } from '../../../app/commands.ts';
import { ApiError } from '../../../data/api-error.ts';
import type { PlacedFinding } from '../locate-findings.ts';
import type { DraftRunState } from './draft-run-store.ts';
import { RunPanel } from './run-panel.tsx';

const finding = (message: string, more: Partial<PlacedFinding> = {}): PlacedFinding => ({
  ...{
    code: 'E_SCHEMA',
    severity: 'error',
    path: 'agent.name',
    suggestion: null,
    line: 3,
    column: null,
  },
  message,
  ...more,
});

function panel(state: DraftRunState, text = 'now') {
  const nothing = () => undefined;
  const session = {
    ...{ input: 'Where is my parcel?', setInput: nothing, run: nothing, close: nothing },
    ...{ flow: null, trigger: '', setTrigger: nothing, problem: null },
    rehearsal: { on: false, needs: [], others: [] },
  };
  return drawn(
    <RunPanel
      session={session as never}
      state={state}
      text={text}
      findings={[]}
      onFinding={nothing}
      live={(runId) => <p>follows {runId}</p>}
      onTrust={nothing}
    />,
  );
}

test('it asks for the input, which is the one kept for the draft', () => {
  const page = panel({ phase: 'asking' });
  expect(page.html).toMatch(/<textarea[^>]*>Where is my parcel\?<\/textarea>/);
  expect(page.text).toContain('Runs the text as it stands, saved or not.');
});

test('what prevents the run is counted and named with its line; warnings are not', () => {
  const warning = finding('is long', { severity: 'warning' });
  const one = panel({
    phase: 'refused',
    text: 'now',
    findings: [finding('is missing'), warning],
    error: undefined,
  });
  expect(one.text).toContain('An error prevents the run: error is missing line 3');
  expect(one.text).not.toContain('is long');
  const two = [finding('is missing'), finding('is odd', { line: null })];
  const page = panel({ phase: 'refused', text: 'now', findings: two, error: undefined });
  expect(page.text).toContain('2 errors prevent the run:');
  expect(page.tags('draft-run-trust')).toEqual([]);
});

test('missing or untrusted functions lead to the question of trust', () => {
  const code = finding('is not trusted', { code: 'E_HANDLER_UNTRUSTED' });
  const page = panel({ phase: 'refused', text: 'now', findings: [code], error: undefined });
  expect(page.text).toContain('Trust this folder…');
});

test('a function that is missing in an import leads to its gaps', () => {
  const missing = finding('is not there', { code: 'E_HANDLER_NOT_FOUND' });
  const state: DraftRunState = {
    phase: 'refused',
    text: 'now',
    findings: [missing],
    error: undefined,
  };
  expect(panel(state).tags('draft-run-gaps')).toEqual([]);
  const release = registerHandler('draft.gaps', () => undefined);
  expect(panel(state).tags('draft-run-gaps')).toHaveLength(1);
  release();
});

test('a refusal of the service is told in the place of findings', () => {
  const error = new ApiError({
    code: 'queue_full',
    message: 'The queue is full.',
    status: 503,
  } as never);
  const page = panel({ phase: 'refused', text: 'now', findings: [finding('unseen')], error });
  expect(page.text).toContain('The run was not started');
  expect(page.text).not.toContain('unseen');
});

test('a run is followed, and says when it is about an earlier text', () => {
  const state: DraftRunState = { phase: 'started', text: 'now', runId: 'r-7' };
  expect(panel(state).text).toContain('follows r-7');
  expect(panel(state).text).not.toContain('About an earlier text');
  expect(panel(state, 'later').text).toContain('About an earlier text');
});
