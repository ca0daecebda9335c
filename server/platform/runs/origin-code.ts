import type { CodeTree } from '../../runtime/code-trees.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { codeRefusal } from '../run-code/run-code.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';

type Origin = Pick<RunsTable, 'code_bundle' | 'created_metadata'>;

/** The functions of a run for what goes on from it. */
interface OriginCode {
  /** Undefined where the folder of its project is there to be looked in. */
  readonly tree: CodeTree | undefined;
  /** Keeps those of today, else those of the run. @throws Refusal code_too_large, invalid_request */
  pack(functions: readonly string[]): Promise<string | null>;
}

function projectOfRun({ created_metadata }: Origin): string | null {
  return frozenSpecOf(created_metadata)?.project ?? null;
}

/**
 * What goes on from a run anew calls the functions of today where this node has them, as a new run
 * does; elsewhere those that the run took along.
 * @throws Refusal code_not_trusted, code_unusable
 */
export async function originCode({ runCode }: PlatformDeps, row: Origin): Promise<OriginCode> {
  const ofToday: OriginCode = {
    tree: undefined,
    pack: async (functions) =>
      functions.length === 0 ? null : runCode.pack(projectOfRun(row), functions),
  };
  const bundle = row.code_bundle;
  if (bundle === null) return ofToday;
  const project = projectOfRun(row);
  if (runCode.hasFolder(project)) return ofToday;
  const found = await runCode.find(bundle, project);
  if (!found.ok) throw codeRefusal(found.problem);
  return { tree: found.tree(), pack: async () => bundle };
}
