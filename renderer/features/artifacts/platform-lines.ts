import { findingsIn } from '../../../server/contract/platform/findings.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { toApiError } from '../../data/api-error.ts';
import type { ArtifactFlight } from '../../environments/artifact-preflight.tsx';
import { lacking, needRows } from '../../environments/preflight-model.ts';
import { countText } from '../../ui/count-text.ts';
import type { ArtifactStage } from './artifact-stages.ts';
import type { CheckLine } from './readiness-model.ts';

const TITLES: Readonly<Record<ArtifactStage['name'], string>> = {
  validate: 'Validation',
  compile: 'Compilation',
  policy_report: 'The policy report',
};

function environmentLine(artifact: AuthoredArtifact, flight: ArtifactFlight): CheckLine {
  const { alias, alias_generation } = artifact;
  const base = { id: 'environment' as const, title: 'Environment', remedy: 'none' as const };
  const where = `${alias}, generation ${alias_generation}`;
  if (flight.error !== undefined) {
    const { message } = toApiError(flight.error);
    return { ...base, ok: false, detail: `${where}: ${message}`, remedy: 'environments' };
  }
  if (flight.preflight === undefined) {
    return { ...base, ok: false, pending: true, detail: `${where} is being asked.` };
  }
  const { policy } = flight.preflight;
  return policy.state === 'unavailable'
    ? {
        ...base,
        ok: false,
        detail: `${where}: ${policy.unavailable_reason ?? 'Its profile cannot be used.'}`,
        remedy: 'environments',
      }
    : { ...base, ok: true, detail: `${where}, ${policy.platform_environment}, answers.` };
}

function governanceLine(stages: readonly ArtifactStage[]): CheckLine {
  const base = { id: 'governance' as const, title: 'Platform checks', remedy: 'none' as const };
  const refused = stages.find(({ state }) => state === 'refused');
  if (refused !== undefined) {
    const count = findingsIn(refused.view?.detail ?? {}).length;
    const found = count === 0 ? '' : ` with ${countText(count, 'finding')}`;
    const detail = `${TITLES[refused.name]} refuses it${found}.`;
    return { ...base, ok: false, detail, remedy: 'stages' };
  }
  const failed = stages.find(({ state }) => state === 'failed');
  if (failed !== undefined) {
    const { message } = toApiError(failed.error);
    const detail = `${TITLES[failed.name]} did not run: ${message}`;
    return { ...base, ok: false, detail, remedy: 'stages' };
  }
  return stages.every(({ state }) => state === 'passed')
    ? { ...base, ok: true, detail: 'It validates, compiles and has its policy report.' }
    : { ...base, ok: false, pending: true, detail: 'Being checked.' };
}

function credentialsLine(flight: ArtifactFlight): CheckLine {
  const base = { id: 'credentials' as const, title: 'Credentials', remedy: 'none' as const };
  const { preflight } = flight;
  if (preflight === undefined) {
    return { ...base, ok: false, advice: true, detail: 'Not known yet.' };
  }
  const rows = needRows(preflight.needs, preflight.credentials.credentials);
  const missing = lacking(rows);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    const detail = `The platform lacks ${names}: what needs it fails in a run, or is answered offline. Export does not need it.`;
    return { ...base, ok: false, advice: true, detail, remedy: 'preflight' };
  }
  return {
    ...base,
    ok: true,
    detail: rows.length === 0 ? 'It asks for none.' : 'The platform has what it asks for.',
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
