/** What a new line begins with, below the indent of the line before it. */
interface EnterRule {
  readonly before: RegExp;
  readonly add: string;
}

const DASH_AND_KEY = String.raw`^\s*- +(?:"[^"]*"|'[^']*'|[^\s"'&*!|>[{#-][^:#]*)`;
const HEADER = '[|>][-+0-9]{0,2}';

/** Where Enter puts the cursor in a spec: below the key of a list's item, not below its dash. */
export const ENTER_RULES: readonly EnterRule[] = [
  // What belongs to the key itself stands deeper than the key.
  { before: new RegExp(String.raw`${DASH_AND_KEY}:(?:\s+${HEADER})?\s*$`), add: '    ' },
  { before: new RegExp(String.raw`${DASH_AND_KEY}:\s+.*[^\s[{]\s*$`), add: '  ' },
  { before: new RegExp(String.raw`:\s+${HEADER}\s*$`), add: '  ' },
];
