import { decodeHTML } from 'entities';

const BLOCK = /<\/?(?:h|br|p|ul|ol|li|blockquote|section|table|tr|div)/y;

/** For each place, where the next `>` stands that no line ends behind; -1 for none. */
function tagEnds(text: string): Int32Array {
  const ends = new Int32Array(text.length + 1).fill(-1);
  for (let at = text.length - 2; at >= 0; at -= 1) {
    const isEnd = text[at] === '>' && text[at + 1] !== '\n';
    ends[at] = isEnd ? at : (ends[at + 1] ?? -1);
  }
  return ends;
}

/** A line ends where a block begins or ends between two letters. */
function brokenIntoLines(text: string): string {
  const ends = tagEnds(text);
  let out = '';
  let done = 0;
  for (let at = text.indexOf('<', 1); at !== -1; at = text.indexOf('<', Math.max(at, done) + 1)) {
    BLOCK.lastIndex = at;
    const isBlock = at > done && text[at - 1] !== '\n' && BLOCK.test(text);
    const end = isBlock ? (ends[BLOCK.lastIndex] ?? -1) : -1;
    if (end === -1) continue;
    out += `${text.slice(done, at)}\n${text[end + 1] ?? ''}`;
    done = end + 2;
  }
  return out + text.slice(done);
}

function withoutTags(text: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', done)) {
    const end = text.indexOf('>', at);
    if (end === -1) break;
    out += text.slice(done, at);
    done = end + 1;
  }
  return out + text.slice(done);
}

/** The text of a piece of markup, in a time that grows with its length. */
export function snippetOf(markup: string): string {
  return decodeHTML(withoutTags(brokenIntoLines(markup))).trim();
}
