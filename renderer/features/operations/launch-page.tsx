import { useMemo, useState } from 'react';
import { deployLaunch, loadLaunch } from '../../../server/contract/dashboard/launch.ts';
import { call } from '../../data/api-client.ts';
import { environmentStore } from '../../data/chosen-environment.ts';
import { useHindrance } from '../../data/operator.ts';
import { useAction } from '../../data/use-action.ts';
import { LaunchHistory } from './launch-history.tsx';
import { type LaunchSource, NO_SOURCE, specBody } from './launch-model.ts';
import { LaunchRun } from './launch-run.tsx';
import { LaunchSourceForm } from './launch-source.tsx';
import { type Checked, LaunchVerdictView } from './launch-verdict.tsx';
import { OperatePage, Shut } from './operate-page.tsx';

/** Starts a run of a spec: it is looked at, checked, and only then run. */
export function LaunchPage() {
  const hindrance = useHindrance('launch');
  return (
    <OperatePage
      title="Launch"
      sub="Runs a spec on the platform. It is checked first; nothing runs before that is green"
      testId="launch-page"
    >
      {hindrance === undefined ? (
        <Launch />
      ) : (
        <Shut title="Your role does not start runs" hindrance={hindrance} testId="launch-shut" />
      )}
      <LaunchHistory />
    </OperatePage>
  );
}

function Launch() {
  const [source, setSource] = useState<LaunchSource>(NO_SOURCE);
  const [environment, setEnvironment] = useState(environmentStore.get() ?? '');
  const [checked, setChecked] = useState<Checked>();
  const read = useMemo(() => specBody(source), [source]);
  const checking = useAction(async () => {
    if (!('body' in read)) {
      return;
    }
    setChecked(undefined);
    const named = environment.trim();
    const body = { ...read.body, ...(named === '' ? {} : { environment: named }) };
    const verdict = await call(deployLaunch, { body });
    // A spec that is not valid has no summary; the verdict says why.
    const summary = verdict.valid ? (await call(loadLaunch, { body })).summary : {};
    setChecked({ verdict, summary, body });
  });
  // Any edit takes the verdict away: it was about something else.
  const edit = (next: LaunchSource): void => {
    setSource(next);
    setChecked(undefined);
  };
  return (
    <>
      <LaunchSourceForm
        source={source}
        onChange={edit}
        environment={environment}
        onEnvironment={(name) => {
          setEnvironment(name);
          setChecked(undefined);
        }}
        problem={'problem' in read ? read.problem : undefined}
        ready={'body' in read}
        checking={checking}
      />
      {checked !== undefined && <LaunchVerdictView checked={checked} />}
      {checked?.verdict.ready === true && (
        <LaunchRun key={JSON.stringify(checked.body)} body={checked.body} />
      )}
    </>
  );
}
