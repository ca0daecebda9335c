import { BASE, LANGCHAIN } from './document.ts';

const ONE: readonly number[] = [1];
const AGENT: readonly number[] = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6];

/** Versions of an element type whose parameters are known (importers 4.3); no row: not checked. */
const TYPE_VERSIONS: ReadonlyMap<string, readonly number[]> = new Map([
  [`${BASE}httpRequest`, [1, 2, 3, 4, 4.1, 4.2]],
  [`${BASE}code`, [1, 2]],
  [`${BASE}function`, ONE],
  [`${BASE}if`, [1, 2, 2.1, 2.2]],
  [`${BASE}switch`, [1, 2, 3, 3.1, 3.2]],
  [`${BASE}splitInBatches`, [1, 2, 3]],
  [`${BASE}executeWorkflow`, [1, 1.1]],
  [`${BASE}webhook`, [1, 1.1, 2]],
  [`${BASE}scheduleTrigger`, [1, 1.1, 1.2]],
  [`${BASE}manualTrigger`, ONE],
  [`${LANGCHAIN}chatTrigger`, [1, 1.1]],
  [`${LANGCHAIN}agent`, AGENT],
  [`${LANGCHAIN}lmChatAnthropic`, [1, 1.1, 1.2]],
  [`${LANGCHAIN}lmChatAwsBedrock`, ONE],
  [`${LANGCHAIN}lmChatAzureOpenAi`, ONE],
  [`${LANGCHAIN}lmChatGoogleGemini`, ONE],
  [`${LANGCHAIN}lmChatGoogleVertex`, ONE],
  [`${LANGCHAIN}lmChatGroq`, ONE],
  [`${LANGCHAIN}lmChatMistralCloud`, ONE],
  [`${LANGCHAIN}lmChatOllama`, ONE],
  [`${LANGCHAIN}lmOllama`, ONE],
  [`${LANGCHAIN}lmChatOpenAi`, ONE],
  [`${LANGCHAIN}lmOpenAi`, ONE],
  [`${LANGCHAIN}lmCohere`, ONE],
  [`${LANGCHAIN}lmOpenHuggingFaceInference`, ONE],
  [`${LANGCHAIN}toolHttpRequest`, [1, 1.1]],
  [`${LANGCHAIN}toolCode`, [1, 1.1]],
  [`${LANGCHAIN}outputParserStructured`, [1, 1.1, 1.2]],
]);

/** True when the node's version is outside the known ones of its type. */
export function isUnknownVersion(type: string, version: number): boolean {
  const known = TYPE_VERSIONS.get(type);
  return known !== undefined && !known.includes(version);
}
