// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import type { PlacedFinding } from '../locate-findings.ts';
import type { DraftRunState } from './draft-run-store.ts';
import { proposed } from './rehearsal-model.ts';
import { RunPanel } from './run-panel.tsx';
import type { DraftRunSession } from './use-draft-run.ts';

freshWindows();

const ERROR: PlacedFinding = {
  ...{ code: 'E_HANDLER_UNTRUSTED', severity: 'error', message: 'is not trusted' },
  ...{ path: 'components.functions.f', suggestion: null, line: 3, column: null },
};

const NOTHING: DraftRunSession['rehearsal'] = {
  ...{ on: false, needs: [], others: [], sent: undefined },
  setOn: () => undefined,
  draftOf: proposed,
  answer: () => undefined,
  started: () => undefined,
};

function panel(
  state: DraftRunState,
  more: Partial<DraftRunSession> = {},
  findings: readonly PlacedFinding[] = [],
) {
  const told = { run: vi.fn(), close: vi.fn(), onFinding: vi.fn(), onTrust: vi.fn() };
  const typed: string[] = [];
  function Panel() {
    const [input, setInput] = useState('');
    const [trigger, setTrigger] = useState('by_hand');
    const session: DraftRunSession = {
      ...{ state, input, run: told.run, close: told.close },
      ...{ flow: null, problem: null, trigger, setTrigger, rehearsal: NOTHING, ...more },
      setInput: (text) => {
        typed.push(text);
        setInput(text);
      },
    };
    return (
      <RunPanel
        session={session}
        state={state}
        text="now"
        findings={findings}
        onFinding={told.onFinding}
        live={(runId) => <p>follows {runId}</p>}
        onTrust={told.onTrust}
      />
    );
  }
  return { user: mounted(<Panel />), told, typed };
}

test('it opens with the cursor in the input; Tab and Enter run what was typed', async () => {
  const { user, told, typed } = panel({ phase: 'asking' });
  expect(document.activeElement).toBe(screen.getByLabelText('Input'));
  await user.keyboard('Where?');
  expect(typed.at(-1)).toBe('Where?');
  expect(told.run).not.toHaveBeenCalled();
  await user.tab();
  await user.keyboard('{Enter}');
  expect(told.run).toHaveBeenCalledOnce();
});

test('what prevents the run leads to its place, and to the question of trust', async () => {
  const { user, told } = panel({
    ...{ phase: 'refused', text: 'now', findings: [ERROR], error: undefined },
  });
  expect(document.activeElement).not.toBe(screen.getByLabelText('Input'));
  await user.click(screen.getByText(/is not trusted/));
  expect(told.onFinding).toHaveBeenCalledExactlyOnceWith(ERROR);
  await user.click(screen.getByText('Trust this folder…'));
  expect(told.onTrust).toHaveBeenCalledOnce();
});

test('a run that was started can be run again and closed by hand', async () => {
  const { user, told } = panel({ phase: 'started', text: 'now', runId: 'r-7' });
  screen.getByText('follows r-7');
  await user.click(screen.getByText('Run again'));
  await user.click(screen.getByLabelText('Close the run'));
  expect([told.run, told.close].map((called) => called.mock.calls.length)).toEqual([1, 1]);
});

const TRIGGERS = [
  { key: 'by_hand', name: 'By hand', fields: [] },
  { key: 'on_mail', name: 'A mail comes', fields: [] },
];

test('a flow says what may be given, and offers its triggers by name', async () => {
  const { user } = panel({ phase: 'asking' }, { flow: TRIGGERS });
  screen.getByText("A text, one JSON object, or a list of objects: the trigger's items.");
  const choice = screen.getByLabelText<HTMLSelectElement>('Trigger');
  expect(choice.value).toBe('by_hand');
  await user.selectOptions(choice, 'A mail comes');
  expect(choice.value).toBe('on_mail');
});

test('without a choice there is none; what is wrong with the input stands below it', () => {
  panel({ phase: 'asking' }, { flow: [], problem: 'This begins like JSON and is not valid' });
  expect(screen.queryByLabelText('Trigger')).toBeNull();
  screen.getByText('This begins like JSON and is not valid');
});

const BODY = { path: ['body', 'email'], label: 'body.email', kind: 'value' as const };
const HOOK = { key: 'hook', name: 'Webhook', fields: [{ ...BODY, choices: [], required: false }] };

test('a trigger with fields is a form; the input that it makes stays there as JSON', async () => {
  const { user, typed } = panel({ phase: 'asking' }, { flow: [HOOK] });
  await user.type(screen.getByLabelText('body.email'), 'a@b');
  expect(JSON.parse(typed.at(-1) ?? '')).toEqual({ body: { email: 'a@b' } });
  await user.click(screen.getByText('JSON'));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Input').value).toContain('"email": "a@b"');
});

const SMS = {
  part: {
    ...{ kind: 'step' as const, key: 'sms', name: 'Send SMS', runs: 'function' as const },
    ...{ places: [], reads: [['sid']] },
  },
  ...{ why: 'no code', blocking: true, pinned: [] },
};

test('steps that cannot run are offered a rehearsal; each takes an answer', async () => {
  const setOn = vi.fn();
  panel({ phase: 'asking' }, { rehearsal: { ...NOTHING, needs: [SMS], setOn } });
  screen.getByText('Send SMS');
  screen.getByTestId('rehearse').click();
  expect(setOn).toHaveBeenCalledExactlyOnceWith(true);
});

test('an answer is stated as items, completed by what later steps read', async () => {
  const answer = vi.fn();
  const rehearsal = { ...NOTHING, on: true, needs: [SMS], answer };
  const { user } = panel({ phase: 'asking' }, { rehearsal });
  expect(screen.getByTestId('draft-run-start').textContent).toContain('Rehearse');
  await user.click(screen.getByText('sid'));
  const [, draft] = answer.mock.calls[0] ?? [];
  expect(JSON.parse(draft.text)).toEqual([{ sid: '' }]);
  await user.selectOptions(screen.getByLabelText('Answer of Send SMS'), 'run');
  expect(answer.mock.calls[1]?.[1]).toMatchObject({ choice: 'run' });
});

test('what is not bound is said before the run', () => {
  const message = "Nothing is bound to 'Mail' (smtp), which 'Send' needs.";
  const path = 'metadata.flow.steps.sms.credentials.smtp';
  const finding = { ...ERROR, code: 'W_CREDENTIAL_UNBOUND', message, path };
  panel({ phase: 'asking' }, {}, [finding]);
  expect(screen.getByTestId('run-missing-bindings').textContent).toContain(message);
});

test('what is answered for needs no binding', () => {
  const path = 'metadata.flow.steps.sms.credentials.smtp';
  const part = { ...SMS.part, places: ['metadata.flow.steps.sms'] };
  const rehearsal = { ...NOTHING, on: true, needs: [{ ...SMS, part }] };
  panel({ phase: 'asking' }, { rehearsal }, [{ ...ERROR, code: 'W_CREDENTIAL_UNBOUND', path }]);
  expect(screen.queryByTestId('run-missing-bindings')).toBeNull();
});
