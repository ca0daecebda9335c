import {
  IconExternalLink,
  IconFile,
  IconFolder,
  IconPackage,
  IconPencil,
} from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import type { RunFacts } from './run-facts.ts';
import { failurePlace } from './spec-place.ts';

/** The way back from a run: its project, its draft and, where one was made, the artifact that ran. */
export function RunOriginLine(props: { readonly origin: RunOrigin }) {
  const { origin } = props;
  return (
    <div className="sw-run-origin" data-testid="run-origin">
      <span>
        <IconFolder size={14} aria-hidden />
        <AppLink to={paths.project(origin.project_id)}>{origin.project_name}</AppLink>
      </span>
      <span>
        <IconFile size={14} aria-hidden />
        <AppLink to={paths.draft(origin.project_id, origin.draft_ref)} testId="run-draft">
          {fileName(origin.draft_ref)}
        </AppLink>
      </span>
      <span>
        <WhatRan origin={origin} />
      </span>
    </div>
  );
}

function WhatRan(props: { readonly origin: RunOrigin }) {
  const { project_id, artifact_id, artifact_deleted } = props.origin;
  if (artifact_id === null) {
    return (
      <>
        <IconPencil size={14} aria-hidden />
        {t('run from the editor')}
      </>
    );
  }
  return (
    <>
      <IconPackage size={14} aria-hidden />
      {artifact_deleted ? (
        t('artifact deleted since')
      ) : (
        <AppLink to={paths.artifact(project_id, artifact_id)} testId="run-artifact">
          {t('what was run')}
        </AppLink>
      )}
    </>
  );
}

/** Leads from a failure to the line of the draft that it speaks of. */
export function FailureLink(props: {
  readonly run: RunDetail;
  readonly facts: RunFacts | undefined;
  readonly origin: RunOrigin | undefined;
}) {
  const { run, facts, origin } = props;
  if (facts === undefined || origin === undefined) {
    return null;
  }
  const path = failurePlace(facts.spec, run, facts);
  if (path === null) {
    return null;
  }
  return (
    <p className="sw-failure-link">
      <IconExternalLink size={14} aria-hidden />
      <AppLink
        to={paths.draft(origin.project_id, origin.draft_ref, { path })}
        testId="failure-line"
      >
        {t('Open {path} in {file}', { path, file: fileName(origin.draft_ref) })}
      </AppLink>
    </p>
  );
}
