import type { CodeTree } from './code-trees.ts';
import { createProjectCode, type ProjectCode, type ProjectCodeOptions } from './project-code.ts';

/** The code of several projects, each in processes of its own. */
export interface CodeByProject {
  /** The code of a project's tree; projects share no process, also where they have the same code. */
  of(tree: Pick<CodeTree, 'root' | 'packages'>, project: string | null): ProjectCode;
  close(): Promise<void>;
}

/** Makes the code of projects callable, each when it is first asked for. */
export function createCodeByProject(
  sandbox: NonNullable<ProjectCodeOptions['sandbox']>,
): CodeByProject {
  const known = new Map<string, ProjectCode>();
  return {
    of({ root, packages }, project) {
      const key = JSON.stringify([root, packages, project]);
      const code = known.get(key) ?? createProjectCode({ root, packages, sandbox });
      known.set(key, code);
      return code;
    },
    async close() {
      await Promise.all([...known.values()].map((code) => code.close()));
    },
  };
}
