import {
  GEN_AI_PROVIDER_NAME_VALUE_AZURE_AI_OPENAI,
  GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI,
  GEN_AI_PROVIDER_NAME_VALUE_MISTRAL_AI,
  GEN_AI_PROVIDER_NAME_VALUE_X_AI,
} from '@opentelemetry/semantic-conventions/incubating';

/** Providers that the conventions for generative AI name otherwise than a spec does. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['azure', GEN_AI_PROVIDER_NAME_VALUE_AZURE_AI_OPENAI],
  ['google', GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI],
  ['google-adk', GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI],
  ['mistral', GEN_AI_PROVIDER_NAME_VALUE_MISTRAL_AI],
  ['xai', GEN_AI_PROVIDER_NAME_VALUE_X_AI],
]);

/** A provider by the name that the conventions give it. */
export function providerAttribute(provider: string | null): string | null {
  return provider === null ? null : (NAMES.get(provider) ?? provider);
}
