import type { CodeTree } from '../../runtime/code-trees.ts';
import { type HandlerRegistry, isBuiltIn } from '../../runtime/handler-registry.ts';
import {
  findProjectFunction,
  hasProjectFunction,
  type ProjectFunction,
} from '../../runtime/project-functions.ts';
import { HOW_TO_TRUST } from '../../runtime/trusted-folders.ts';
import { implementationsOf } from '../../spec/reports/bundle-needs.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';

/** Where code may come from. */
interface CodePlaces {
  readonly handlers: Pick<HandlerRegistry, 'find'>;
  readonly tree: CodeTree;
}

interface Use {
  readonly implementation: string;
  readonly path: string;
}

function usesOf(spec: Spec): Use[] {
  const uses: Use[] = [];
  for (const [name, tool] of Object.entries(spec.tools)) {
    if (tool.implementation !== null) {
      uses.push({ implementation: tool.implementation, path: `tools.${name}.implementation` });
    }
  }
  for (const [name, component] of Object.entries(spec.components.functions)) {
    uses.push({
      implementation: component.implementation,
      path: `components.functions.${name}.implementation`,
    });
  }
  return uses;
}

/** The implementations of a spec that its project's own code would have to be. */
export function projectFunctions(
  { handlers }: Pick<CodePlaces, 'handlers'>,
  spec: Spec | undefined,
): string[] {
  const named = spec === undefined ? [] : implementationsOf(spec);
  return named.filter((name) => !isBuiltIn(name) && handlers.find(name) === undefined);
}

function finding(code: string, path: string, message: string, suggestion: string): Diagnostic {
  return { code, severity: 'error', message, path, suggestion };
}

function fileOf(implementation: string): string {
  const module = implementation.split('.').slice(0, -1);
  return module.length === 0 ? 'a file below functions/' : `functions/${module.join('/')}.ts`;
}

/** Which file to make, and what it must export. */
function missingFile(implementation: string): string {
  const parts = implementation.split('.');
  const name = parts.pop() ?? implementation;
  return parts.length === 0
    ? `Write it as module.name: 'desk.${name}' is the export ${name} of functions/desk.ts in the project's folder.`
    : `Make ${fileOf(implementation)} there, with an export named ${name}.`;
}

async function problemOf(
  deps: CodePlaces,
  implementation: string,
  path: string,
  found: ProjectFunction | undefined,
): Promise<Diagnostic | undefined> {
  if (found === undefined) {
    return finding(
      'E_HANDLER_NOT_FOUND',
      path,
      `There is no code for '${implementation}': ${fileOf(implementation)} is not in the project's folder.`,
      missingFile(implementation),
    );
  }
  if (!deps.tree.trusted) {
    return finding(
      'E_HANDLER_UNTRUSTED',
      path,
      `'${implementation}' is code of a project that is not trusted. ${HOW_TO_TRUST}`,
      'Trust the folder of the project.',
    );
  }
  if (await hasProjectFunction(found)) return undefined;
  return finding(
    'E_HANDLER_NOT_FOUND',
    path,
    `The file of '${implementation}' does not export '${found.name}'.`,
    `Export a function named ${found.name} there.`,
  );
}

/**
 * Findings of the build stage about code (spec-v1 6, decisions 8): a handler is looked up in the
 * registry, then in the `functions/` folder of a trusted tree.
 */
export async function handlerFindings(deps: CodePlaces, spec: Spec): Promise<Diagnostic[]> {
  const findings: Diagnostic[] = [];
  for (const { implementation, path } of usesOf(spec)) {
    if (deps.handlers.find(implementation) !== undefined) continue;
    const found = await findProjectFunction(deps.tree.root, implementation);
    const problem = await problemOf(deps, implementation, path, found);
    if (problem !== undefined) findings.push(problem);
  }
  return findings;
}
