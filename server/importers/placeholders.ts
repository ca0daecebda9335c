const LONGEST = 80;
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)\s+/i;
/** What a placeholder speaks of. */
const WORDS =
  /token|key|secret|password|credential|\bapi\b|api[_-]|here|placeholder|密码|密钥|令牌|凭证/i;
const FORMS: readonly RegExp[] = [
  /^<[^<>]+>$/,
  /^\[[^[\]]+\]$/,
  /^(?:your|my|insert|enter|replace|add|put)[ _-]/i,
  /^[A-Z]+(?:[ _-][A-Z]+)*[ _-](?:HERE|PLACEHOLDER)$/,
  /^(?:你的|您的|请输入|请填写|填写)/,
];
const MASK = /^(?:x{3,}|\*{3,}|\.{3,})$/i;

/**
 * True for a text that plainly tells what belongs in its place, as in published workflows: it says
 * so in words, and holds no digit, as what somebody chose or was given does.
 */
export function isPlainPlaceholder(text: string): boolean {
  const rest = text.trim().replace(SCHEME, '');
  if (rest.length > LONGEST || /\d/.test(rest)) return false;
  return MASK.test(rest) || (WORDS.test(rest) && FORMS.some((form) => form.test(rest)));
}
