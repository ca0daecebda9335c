const LONG = 12;
const SHORTEST = 4;
const MARK = '<redacted>';

/** Words that our own output is made of; a shorter literal that is one of them protects nothing. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    'version agent agents workflow workflows components name model provider system_prompt type',
    'steps step start nodes node edges edge from to condition label max_steps kind ref always',
    'never sequential graph imported-agent functions function implementation humans human tools',
    'tool mcp_servers strategy react max_iterations temperature max_tokens extra memory history',
    'anthropic aws-bedrock azure-openai cohere google google-vertex groq huggingface mistral',
    'ollama openai blocking manual info error tool_permission guardrail human_approval secret_ref',
    'dify crewai flowise proprietary_node expression branching_shape subworkflow',
    'external_service inline_secret deterministic_tool offered_tool_not_bound',
    'tool_without_backing unbounded_loop agent_execution_mode_not_carried no_entry run_input',
    'unreachable_from_entry divergent_entry error_route_not_carried execution_setting',
    'containment_not_carried source_cannot_run model_unresolved ambiguous_binding annotation',
    'output_formatting_not_carried entry_mechanism_not_carried parameters_not_carried',
    'deactivated_node source_repaired version_assumed condition_translated carried_as',
  ].flatMap((line) => line.split(' ')),
);

/** Guards texts against the credential literals of one source. */
export interface Protector {
  /** True when the source holds no literal to guard against. */
  readonly idle: boolean;
  /** True when the text contains a literal that must not be carried. */
  holds(text: string): boolean;
  /** The text with every such literal replaced. */
  scrub(text: string): string;
}

function protects(literal: string): boolean {
  const characters = [...literal].length;
  if (characters >= LONG) return true;
  return characters >= SHORTEST && !VOCABULARY.has(literal);
}

function spellings(literal: string): string[] {
  const json = JSON.stringify(literal).slice(1, -1);
  const single = literal.replaceAll("'", "''");
  const escaped = literal.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return [literal, json, single, escaped];
}

/** Builds the guard over the literals found in a source (importers 10). */
export function protectorOf(literals: Iterable<string>): Protector {
  const kept = [...literals].map((text) => text.trim()).filter(protects);
  const texts = [...new Set(kept.flatMap(spellings))].sort((a, b) => b.length - a.length);
  return {
    idle: texts.length === 0,
    holds: (text) => texts.some((literal) => text.includes(literal)),
    scrub: (text) => {
      let out = text;
      for (const literal of texts) out = out.replaceAll(literal, () => MARK);
      return out;
    },
  };
}
