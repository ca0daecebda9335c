import { expect, test } from 'vitest';
import { operationsOf, uses, windowModules } from '../support/window-modules.ts';

/** Operations that no screen calls, and why none should. */
const EXCUSED: Readonly<Record<string, string>> = {
  'dashboard.getLivez': 'for what supervises the process',
  'dashboard.loginCallback': 'the identity provider sends the browser there',
  'dashboard.streamRunTrace': 'its events are read as the stream that the same file declares',
  'dashboard.listRunTrace': 'the stream brings the same events from the first on',
  'dashboard.runErrorSummary': 'the failures page groups by the error too, from the list',
  'dashboard.getRunRecovery': 'the run page asks the platform itself, which tells more',
  'studio.finish_oidc_login': 'the identity provider sends the browser there',
  'studio.list_projects': 'get_me brings the projects',
  'studio.get_project': 'get_me brings the projects',
  'studio.list_environments': 'the bindings bring their aliases',
  'studio.get_environment_policy': 'the state of an environment brings it',
  'studio.get_environment_credential_refs': 'the state of an environment brings them',
  'studio.explain_artifact': 'the policy report and the composition tell more',
  'studio.list_analyses': 'the entries of analyses bring more of the same',
  'studio.cancel_test_run': 'a run of an artifact is stopped on its run page',
  'studio.get_test_run_graph': 'a run of an artifact is shown on its run page',
  'studio.get_test_run_trace': 'a run of an artifact is shown on its run page',
  'studio.list_test_run_checkpoints': 'a run of an artifact is shown on its run page',
  'studio.diff_test_run_checkpoints': 'a run of an artifact is shown on its run page',
};

test.each(['dashboard', 'studio'])(
  'every operation of the %s is called by a screen, or excused',
  async (service) => {
    const modules = windowModules();
    const operations = await operationsOf(service);
    expect(operations.length).toBeGreaterThan(40);
    const unused = operations
      .filter((operation) => !modules.some(({ text }) => uses(text, operation)))
      .map(({ route }) => `${route.service}.${route.id}`)
      .sort();
    const excused = Object.keys(EXCUSED).filter((name) => name.startsWith(`${service}.`));
    expect(unused).toEqual(excused.sort());
  },
);
