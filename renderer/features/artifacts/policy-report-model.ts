import { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import { toldReader } from '../../../server/contract/told.ts';

/** An element of the spec, and what the report says of it. */
export interface ReportRow {
  /** Its path in the document; null where it has none. */
  readonly path: string | null;
  readonly cells: readonly string[];
}

/** A table of the policy report. */
export interface ReportTable {
  readonly id: 'tools' | 'permissions' | 'guardrails' | 'human_review';
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
  /** What is said in place of an empty table. */
  readonly none: string;
  /** Something that the table alone would not tell. */
  readonly warning: string | undefined;
}

const permissions = z.object({
  allow_shell: z.boolean(),
  allow_filesystem_read: z.boolean(),
  allow_filesystem_write: z.boolean(),
  allow_network: z.boolean(),
  allowed_domains: z.array(z.string()),
});

const readReport = toldReader(
  z.object({
    tools: z.object({
      declared: z.array(z.string()),
      mcp_imports: z.array(z.object({ name: z.string() })),
      agent_policies: z.array(
        z.object({
          agent: z.string(),
          include: z.array(z.string()),
          exclude: z.array(z.string()),
          permissions: permissions.nullable(),
          unrestricted: z.boolean(),
        }),
      ),
    }),
    guardrails: z.object({
      agents: z.array(z.object({ agent: z.string(), stages: z.record(z.string(), z.number()) })),
    }),
    human_review: z.object({
      reviewers: z.array(z.string()),
      workflow_steps: z.array(
        z.object({ workflow: z.string(), step_id: z.string(), ref: z.string() }),
      ),
      requirements: z.array(
        z.object({ code: z.string(), path: z.string().nullable(), reason: z.string() }),
      ),
      missing: z.boolean(),
    }),
  }),
);

type Report = ReturnType<typeof readReport>;

const yes = (value: boolean | null | undefined): string =>
  value === true ? t('allowed') : t('no');

function toolTable({ tools }: Report): ReportTable {
  const imported = new Set((tools?.mcp_imports ?? []).map(({ name }) => name));
  const names = tools?.declared ?? [];
  return {
    id: 'tools',
    title: t('Tools'),
    columns: [t('Tool'), t('Comes from')],
    rows: names.map((name) => ({
      path: `tools.${name}`,
      cells: [name, imported.has(name) ? t('an MCP server') : t('the spec')],
    })),
    none: t('The spec declares no tool.'),
    warning: undefined,
  };
}

type AgentPolicy = NonNullable<NonNullable<Report['tools']>['agent_policies']>[number];

function fileWord(allowed: AgentPolicy['permissions']): string {
  const words = [
    ...(allowed?.allow_filesystem_read === true ? [t('read')] : []),
    ...(allowed?.allow_filesystem_write === true ? [t('write')] : []),
  ];
  return words.length === 0 ? t('no') : words.join(', ');
}

function networkWord(allowed: AgentPolicy['permissions']): string {
  const domains = allowed?.allowed_domains ?? [];
  if (allowed?.allow_network !== true) {
    return t('no');
  }
  return domains.length === 0 ? t('any host') : domains.join(', ');
}

function permissionTable({ tools }: Report): ReportTable {
  const policies = (tools?.agent_policies ?? []).filter(
    ({ include, unrestricted, permissions: given }) =>
      (include ?? []).length > 0 || unrestricted === true || (given ?? null) !== null,
  );
  const open = policies.filter(({ unrestricted }) => unrestricted === true).length;
  return {
    id: 'permissions',
    title: t('Permissions of tools'),
    columns: [t('Agent'), t('Tools'), t('Shell'), t('Files'), t('Network')],
    rows: policies.map(({ agent, include, permissions: given }) => ({
      path: agent ?? null,
      cells: [
        agent ?? '',
        (include ?? []).join(', ') || t('none named'),
        yes(given?.allow_shell),
        fileWord(given),
        networkWord(given),
      ],
    })),
    none: t('No agent uses tools.'),
    warning:
      open === 0 ? undefined : t('Nothing, or too little, limits what the tools may touch here.'),
  };
}

function guardrailTable({ guardrails }: Report): ReportTable {
  const rows = (guardrails?.agents ?? []).flatMap(({ agent, stages }) => {
    const text = Object.entries(stages ?? {}).map(([stage, count]) => `${stage} (${count})`);
    return text.length === 0
      ? []
      : [{ path: agent ?? null, cells: [agent ?? '', text.join(', ')] }];
  });
  return {
    id: 'guardrails',
    title: t('Guardrails'),
    columns: [t('Agent'), t('Stages')],
    rows,
    none: t('No agent has guardrails.'),
    warning: undefined,
  };
}

function reviewTable({ human_review }: Report): ReportTable {
  const steps = (human_review?.workflow_steps ?? []).map(({ workflow, step_id, ref }) => ({
    path: workflow ?? null,
    cells: [t('Step {step_id}', { step_id: step_id ?? '' }), t('asks {ref}', { ref: ref ?? '' })],
  }));
  const required = (human_review?.requirements ?? []).map(({ path, reason, code }) => ({
    path: path ?? null,
    cells: [path ?? code ?? '', reason ?? ''],
  }));
  return {
    id: 'human_review',
    title: t('Human review'),
    columns: [t('Where'), t('What')],
    rows: [...steps, ...required],
    none: t('No person is asked, and nothing here asks for one.'),
    warning:
      human_review?.missing === true
        ? t('Something here wants a person, and nobody is asked.')
        : undefined,
  };
}

/** A platform's policy report as tables; what it does not say is an empty table. */
export function reportTables(report: object): readonly ReportTable[] {
  const read = readReport(report);
  return [toolTable(read), permissionTable(read), guardrailTable(read), reviewTable(read)];
}
