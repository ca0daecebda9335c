import {
  type CodeTrees,
  type CodeTreesSetting,
  createCodeTrees,
} from '../../runtime/code-trees.ts';
import type { HandlerRegistry } from '../../runtime/handler-registry.ts';
import { createProjectSecrets, type ProjectSecrets } from '../../runtime/secrets.ts';
import type { PlatformConfig } from '../config.ts';
import type { PolicyMap, PolicyStore } from '../policies/policies-repository.ts';

/** What the check of a spec asks of the service beside the spec itself. */
export interface CheckPlaces {
  readonly specRoot: string;
  readonly trees: CodeTrees;
  readonly handlers: Pick<HandlerRegistry, 'find'>;
  readonly config: PlatformConfig;
  /** What the specs of each project may have (decisions 46). */
  readonly secrets: ProjectSecrets;
  readonly policies: Pick<PolicyStore, 'find'>;
}

/** The same as values that go to another thread. */
export interface CheckSetting {
  readonly specRoot: string;
  readonly trees: CodeTreesSetting;
  /** Names of the handlers of this process. */
  readonly handlers: readonly string[];
  readonly config: PlatformConfig;
  readonly policies: PolicyMap;
}

/** The places of a check in another thread. */
export function placesOf({
  handlers,
  policies,
  trees: treesSetting,
  ...rest
}: CheckSetting): CheckPlaces {
  const names = new Set(handlers);
  const trees = createCodeTrees(treesSetting);
  return {
    ...rest,
    trees,
    secrets: createProjectSecrets(rest.config.env, trees),
    // A check asks whether a handler is there; none is called here.
    handlers: { find: (name) => (names.has(name) ? () => undefined : undefined) },
    policies: {
      find: (environment) =>
        Object.hasOwn(policies, environment) ? policies[environment] : undefined,
    },
  };
}
