import { t } from '../../../preload/texts/t.ts';
import { findingsIn } from '../../../server/contract/platform/findings.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { toApiError } from '../../data/api-error.ts';
import type { ArtifactFlight } from '../../environments/artifact-preflight.tsx';
import { lacking, needRows } from '../../environments/preflight-model.ts';
import type { ArtifactStage } from './artifact-stages.ts';
import type { CheckLine } from './readiness-model.ts';

const TITLES: Readonly<Record<ArtifactStage['name'], string>> = {
  validate: t('Validation'),
  compile: t('Compilation'),
  policy_report: t('The policy report'),
};

function environmentLine(artifact: AuthoredArtifact, flight: ArtifactFlight): CheckLine {
  const { alias, alias_generation } = artifact;
  const base = { id: 'environment' as const, title: t('Environment'), remedy: 'none' as const };
  const where = t('{alias}, generation {alias_generation}', { alias, alias_generation });
  if (flight.error !== undefined) {
    const { message } = toApiError(flight.error);
    return { ...base, ok: false, detail: `${where}: ${message}`, remedy: 'environments' };
  }
  if (flight.preflight === undefined) {
    return { ...base, ok: false, pending: true, detail: t('{where} is being asked.', { where }) };
  }
  const { policy } = flight.preflight;
  return policy.state === 'unavailable'
    ? {
        ...base,
        ok: false,
        detail: `${where}: ${policy.unavailable_reason ?? t('Its profile cannot be used.')}`,
        remedy: 'environments',
      }
    : {
        ...base,
        ok: true,
        detail: t('{where}, {platform_environment}, answers.', {
          where,
          platform_environment: policy.platform_environment,
        }),
      };
}

function governanceLine(stages: readonly ArtifactStage[]): CheckLine {
  const base = {
    id: 'governance' as const,
    title: t('Platform checks'),
    remedy: 'none' as const,
  };
  const refused = stages.find(({ state }) => state === 'refused');
  if (refused !== undefined) {
    const count = findingsIn(refused.view?.detail ?? {}).length;
    const found =
      count === 0 ? '' : t(' with {count, plural, one {# finding} other {# findings}}', { count });
    const detail = t('{titles} refuses it{found}.', { titles: TITLES[refused.name], found });
    return { ...base, ok: false, detail, remedy: 'stages' };
  }
  const failed = stages.find(({ state }) => state === 'failed');
  if (failed !== undefined) {
    const { message } = toApiError(failed.error);
    const detail = t('{titles} did not run: {message}', { titles: TITLES[failed.name], message });
    return { ...base, ok: false, detail, remedy: 'stages' };
  }
  return stages.every(({ state }) => state === 'passed')
    ? { ...base, ok: true, detail: t('It validates, compiles and has its policy report.') }
    : { ...base, ok: false, pending: true, detail: t('Being checked.') };
}

function credentialsLine(flight: ArtifactFlight): CheckLine {
  const base = { id: 'credentials' as const, title: t('Credentials'), remedy: 'none' as const };
  const { preflight } = flight;
  if (preflight === undefined) {
    return { ...base, ok: false, advice: true, detail: t('Not known yet.') };
  }
  const rows = needRows(preflight.needs, preflight.credentials.credentials);
  const missing = lacking(rows);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    const detail = t(
      'The platform lacks {names}: what needs it fails in a run, or is answered offline. Export does not need it.',
      { names },
    );
    return { ...base, ok: false, advice: true, detail, remedy: 'preflight' };
  }
  return {
    ...base,
    ok: true,
    detail: rows.length === 0 ? t('It asks for none.') : t('The platform has what it asks for.'),
  };
}

/** What the bound platform says before export: it answers, it accepts the spec, it has its keys. */
export function platformLines(
  artifact: AuthoredArtifact,
  stages: readonly ArtifactStage[],
  flight: ArtifactFlight,
): readonly CheckLine[] {
  return [environmentLine(artifact, flight), governanceLine(stages), credentialsLine(flight)];
}
