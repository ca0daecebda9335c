import { createProjectCode, type ProjectCode, type ProjectCodeOptions } from './project-code.ts';

/** The code of several projects, each in processes of its own. */
export interface CodeByProject {
  /** The code of the tree at this folder. */
  of(root: string): ProjectCode;
  close(): Promise<void>;
}

/** Makes the code of projects callable, each when it is first asked for. */
export function createCodeByProject(
  sandbox: NonNullable<ProjectCodeOptions['sandbox']>,
): CodeByProject {
  const known = new Map<string, ProjectCode>();
  return {
    of(root) {
      const code = known.get(root) ?? createProjectCode({ root, sandbox });
      known.set(root, code);
      return code;
    },
    async close() {
      await Promise.all([...known.values()].map((code) => code.close()));
    },
  };
}
