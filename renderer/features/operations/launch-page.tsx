import './launch.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  deployLaunch,
  type LaunchHistoryEntry,
  loadLaunch,
} from '../../../server/contract/dashboard/launch.ts';
import { call } from '../../data/api-client.ts';
import { type Environments, useEnvironments } from '../../data/environment.ts';
import { useHindrance } from '../../data/operator.ts';
import { useAction } from '../../data/use-action.ts';
import { LaunchHistory } from './launch-history.tsx';
import { formOf, refillNotes } from './launch-history-model.ts';
import { EMPTY_FORM, type LaunchForm, needsTyping, placesOf, readForm } from './launch-model.ts';
import { LaunchRun } from './launch-run.tsx';
import { LaunchSourceForm } from './launch-source.tsx';
import { useStudioText } from './launch-studio.ts';
import { type Checked, LaunchVerdictView } from './launch-verdict.tsx';
import { OperatePage, Shut } from './operate-page.tsx';
import { showInText } from './show-in-text.ts';

/** Starts a run of a spec: it is looked at, checked, and only then run. */
export function LaunchPage() {
  const hindrance = useHindrance('launch');
  const [again, setAgain] = useState<Again>();
  return (
    <OperatePage
      title="Launch"
      sub="Runs a spec on the platform. It is checked first; nothing runs before that is green"
      testId="launch-page"
    >
      {hindrance === undefined ? (
        <Launch key={again?.turn ?? 0} again={again?.entry} />
      ) : (
        <Shut title="Your role does not start runs" hindrance={hindrance} testId="launch-shut" />
      )}
      <LaunchHistory
        hindrance={hindrance}
        onAgain={(entry) => setAgain((before) => ({ entry, turn: (before?.turn ?? 0) + 1 }))}
      />
    </OperatePage>
  );
}

/** A launch that is filled in again; each turn anew, over what was typed since. */
interface Again {
  readonly entry: LaunchHistoryEntry;
  readonly turn: number;
}

/** The environment that a launch is for: the window's, else what is typed. */
function environmentOf(form: LaunchForm, environments: Environments | undefined): string {
  return environments?.chosen?.name ?? form.environment.trim();
}

function Launch({ again }: { readonly again: LaunchHistoryEntry | undefined }) {
  const [form, setForm] = useState<LaunchForm>(again === undefined ? EMPTY_FORM : formOf(again));
  const [checked, setChecked] = useState<Checked>();
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (again !== undefined) {
      top.current?.scrollIntoView();
      top.current?.focus({ preventScroll: true });
    }
  }, [again]);
  const environments = useEnvironments();
  const environment = environmentOf(form, environments);
  const studio = useStudioText(form);
  const read = useMemo(
    () => readForm(form, environment, studio.text),
    [form, environment, studio.text],
  );
  const check = 'body' in read ? read.body.check : undefined;
  const key = JSON.stringify(check);
  const text = form.kind === 'text' ? form.text : studio.text?.text;
  const placeOf = useMemo(() => (text === undefined ? undefined : placesOf(text)), [text]);
  const checking = useAction(async () => {
    if (check === undefined) {
      return;
    }
    setChecked(undefined);
    const verdict = await call(deployLaunch, { body: check });
    // A spec that is not valid has no summary; the verdict says why.
    const summary = verdict.valid ? (await call(loadLaunch, { body: check })).summary : {};
    setChecked({ verdict, summary, key });
  });
  // What changes takes the verdict away, here or in the studio: it was about something else.
  const standing = checked?.key === key ? checked : undefined;
  const notes = again === undefined ? [] : refillNotes(again, { studio: studio.text, environment });
  return (
    <div ref={top} tabIndex={-1} className="sw-launch">
      <LaunchSourceForm
        form={form}
        onChange={setForm}
        environments={environments}
        studio={studio}
        notes={notes}
        problem={'problem' in read ? read.problem : undefined}
        ready={check !== undefined}
        checking={checking}
      />
      {standing !== undefined && (
        <LaunchVerdictView
          checked={standing}
          draft={form.kind === 'draft' ? { project: form.project, ref: form.draft } : undefined}
          placeOf={placeOf}
          onShow={showInText}
        />
      )}
      {standing?.verdict.ready === true && 'body' in read && (
        <LaunchRun
          key={key}
          body={{ ...read.body.check, ...read.body.run }}
          isTyped={needsTyping(environment, environments?.choices)}
        />
      )}
    </div>
  );
}
