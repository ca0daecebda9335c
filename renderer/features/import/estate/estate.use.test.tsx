// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listDrafts } from '../../../../server/contract/studio/drafts.ts';
import { listRepairs } from '../../../../server/contract/studio/repairs.ts';
import { type EstateFile, estateOf } from '../../../../server/gaps/estate/estate.ts';
import { NO_FACTS } from '../../../../server/gaps/estate/source-facts.ts';
import { row } from '../../../../test/support/batch-rows.ts';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import { history } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { routeKey } from '../../../data/query-client.ts';
import { EstateCalls, EstateCauses } from './estate-view.tsx';
import { RepairsAgain } from './repairs-again.tsx';

freshWindows();

const CAUSE = {
  ...{ id: 'c1', kind: 'proprietary_node', severity: 'blocking' as const, count: 1 },
  ...{ title: 'No counterpart', subject: 'slack' },
};
const file = (path: string): EstateFile => ({
  ...{ path, draft: path, blocking: 1, facts: NO_FACTS },
  causes: [CAUSE],
});

test('causes say what one answer frees, and lead to the repair by keyboard', async () => {
  const user = mounted(
    <EstateCauses
      estate={estateOf([file('a'), file('b')])}
      repairPath={(id) => paths.repair('default', id)}
    />,
  );
  const table = screen.getByRole('table', { name: 'Shared causes' });
  const line = within(table).getByTestId('row-c1');
  expect(line.textContent).toContain('slack No counterpart22');
  line.focus();
  await user.keyboard('{Enter}');
  expect(history.location.pathname).toBe('/projects/default/repairs/c1');
});

test('a map that is drawn in part says so', async () => {
  const files = Array.from({ length: 200 }, (_, at) => ({
    ...file(`f${at}`),
    facts: { ...NO_FACTS, calls: [{ kind: 'step' as const, label: 'x', wanted: [`gone ${at}`] }] },
  }));
  mounted(
    <EstateCalls estate={estateOf(files)} nameOf={(path) => path} onOpen={() => undefined} />,
  );
  expect(screen.getByTestId('estate-part').textContent).toContain('300 of 400 are drawn');
});

const REPAIR = {
  ...{ id: 'r1', cause: 'c1', fix: 'name_function', title: 'Name the function' },
  ...{ values: { function: 'team.tell' }, workflows: ['name Flow a.json'] },
  made_at: '2026-11-22T12:00:00.000000+00:00',
};

function offered(revision: string) {
  const params = { project_id: 'default' };
  const imported = {
    ...row('a.json', ['proprietary_node']),
    facts: { ...NO_FACTS, name: 'Flow a.json' },
    ...{ causes: [CAUSE], revision: 'r1' },
  };
  return mounted(<RepairsAgain projectId="default" rows={[imported]} />, [
    [routeKey(listRepairs, { params }), [REPAIR]],
    [routeKey(listDrafts, { params }), [{ ref: 'x.yaml', revision }]],
  ]);
}

test('a repair of an earlier import is offered for the files that came again', async () => {
  const user = offered('r1');
  expect(screen.getByTestId('repair-again').textContent).toContain('Name the function: team.tell');
  await user.click(screen.getByTestId('repair-again-review'));
  expect(history.location.href).toBe('/projects/default/repairs/c1?again=r1');
});

test('it is not offered for a draft that was edited since', () => {
  offered('r2');
  expect(screen.queryByTestId('repair-again')).toBeNull();
});
