import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { emitInline } from '../../spec/yaml/emit-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { writeFile } from '../write-file.ts';

const FOLDERS = ['artifacts', 'logs', 'cache'];

function configText(name: string): string {
  return `# Settings of this project for the command line. Every block is optional.
project:
  name: ${emitInline(name)}
  default_environment: dev
  # The spec that commands take when none is named.
  # default_spec: spec.yaml

service:
  # A platform for everybody who works on this project.
  default_url: null

# Filled in where a spec says nothing.
runtime_defaults: {}
model_defaults: {}
#  dev: {provider: openai, name: gpt-5-mini}

environments:
  dev:
    defaults: {}
  prod:
    defaults: {}
    # Demanded of every spec that is resolved for this environment.
    policy_enforcement:
      enabled: true
      fail_on_warnings: false
      blocked_diagnostic_codes: []
      require_human_review: false
      require_tool_permissions: false
      deny_unrestricted_tools: false
      require_guardrails: false
`;
}

/**
 * Writes `.specwright/config.yaml` with its folders; answers the file.
 * @throws CommandFailure when there is one already and `force` is not set
 */
export function initProject(
  root: string,
  options: { readonly name?: string; readonly force?: boolean },
): string {
  const folder = path.join(root, '.specwright');
  const file = path.join(folder, 'config.yaml');
  if (existsSync(file) && options.force !== true) {
    throw new CommandFailure(`${file} exists already; --force writes it anew.`);
  }
  writeFile(file, configText(options.name ?? path.basename(path.resolve(root))));
  for (const name of FOLDERS) mkdirSync(path.join(folder, name), { recursive: true });
  return file;
}
