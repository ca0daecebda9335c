import type { CodeTrees } from '../code-trees.ts';
import type { ProjectSecrets } from '../secrets.ts';
import { createMcpTools, type McpSettings, type McpTools } from './mcp-tools.ts';

/** MCP servers as the specs of several projects declare them; projects share no connection. */
export interface ProjectMcp {
  /** The servers of a project, by the trust in its folder now; null: specs that belong to none. */
  of(project: string | null): McpTools;
  close(): Promise<void>;
}

/** Makes the servers of each folder callable when they are first asked for. */
export function createProjectMcp(
  common: Omit<McpSettings, 'root' | 'trusted' | 'secrets'>,
  trees: CodeTrees,
  secrets: ProjectSecrets,
): ProjectMcp {
  const known = new Map<string, { readonly tools: McpTools; readonly trusted: boolean }>();
  const closing = new Set<Promise<void>>();
  const end = (tools: McpTools): void => {
    const closed = tools.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    of(project) {
      const { root, trusted } = trees.find(project);
      const before = known.get(root);
      if (before?.trusted === trusted) return before.tools;
      // Trust that was taken back ends the programs that it started.
      if (before !== undefined) end(before.tools);
      const tools = createMcpTools({ ...common, root, trusted, secrets: secrets.of(project) });
      known.set(root, { tools, trusted });
      return tools;
    },
    async close() {
      for (const { tools } of known.values()) end(tools);
      known.clear();
      await Promise.all(closing);
    },
  };
}
