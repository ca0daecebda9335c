import fc from 'fast-check';

const BLOCKS = [
  'article',
  'div',
  'section',
  'blockquote',
  'p',
  'p',
  'h1',
  'h3',
  'ul',
  'ol',
  'hr',
  'table',
];
const PHRASES = [
  'a',
  'a',
  'b',
  'code',
  'em',
  'i',
  'span',
  'strong',
  'u',
  'label',
  'br',
  'img',
  'del',
  's',
];
const VOID = new Set(['br', 'hr', 'img']);
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  ...{
    ul: ['li'],
    ol: ['li'],
    table: ['thead', 'tbody'],
    thead: ['tr'],
    tbody: ['tr'],
    tr: ['td', 'th'],
  },
  ...Object.fromEntries(['p', 'h1', 'h3', ...PHRASES].map((name) => [name, PHRASES])),
};
const TEXTS = [
  ...[
    'a',
    'Some words ',
    ' ',
    '\n',
    ' b ',
    'x &amp; y',
    '&nbsp;',
    '"q"',
    "it's",
    'a > b',
    '1 & 2',
    'é',
    '🙂',
    '\t',
  ],
  ...[
    '&lt;p',
    '\u00a0',
    '&quot;',
    '&#39;',
    '- x',
    '1. y',
    '# h',
    '+ p',
    '> q',
    '2.&nbsp;z',
    'http://e.com/a_b',
  ],
  ...[
    'snake_case',
    '*',
    '`',
    '[x]',
    '\n foo',
    'bar\n',
    '  two  ',
    '&lt;!DOCTYPE x&gt;',
    '\\',
    '&amp;amp;',
    '/p?a=1',
  ],
];
const ATTRIBUTES = [
  ...[
    '',
    '',
    ' class="a"',
    ' id="x y" href="/p?a=1"',
    ' href=""',
    ' title="it is &quot;"',
    ' src="d" alt="e"',
  ],
  ...[
    ' src="data:x"',
    '\n data-x="1"',
    '  lang="en"',
    ' href="http://e.com/a_b" title="t"',
    ' constructor="x"',
  ],
  ...[' href="x(y)*"', ' a="1" a="2"'],
];
/** What parsers read each in their own way. */
const ODD = [
  ...[
    '<',
    '>',
    '&',
    '</p>',
    '<p>',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<!-- c -->',
    '<P>',
    '<br/>',
    '<div/>',
    '<tr>',
  ],
  ...[
    '&b=2',
    '<a href=x>',
    '\r\n',
    '\0',
    '<td>',
    '<li>',
    '</ul>',
    '<body>',
    '<title>t</title>',
    '<pre>\n',
    '<svg>',
  ],
  ...[
    '&copy',
    '<button>',
    '<a>',
    '<x-y>',
    '</br>',
    '<p',
    '\ufeff',
    '\f',
    '<p></p>',
    '<b> </b>',
    '<br><br><br><br>',
  ],
];

interface Parts {
  readonly odd: number;
  readonly depth: number;
}

function inside(name: string, parts: Parts): fc.Arbitrary<string> {
  const names = INSIDE[name] ?? [...BLOCKS, ...PHRASES];
  const isText = names === PHRASES || INSIDE[name] === undefined;
  const text = fc.constantFrom(...(isText ? TEXTS : [' ', '\n']));
  return fc
    .array(
      fc.oneof(
        { weight: isText ? 10 : 3, arbitrary: text },
        {
          weight: parts.depth > 0 ? 8 : 0,
          arbitrary: fc.constantFrom(...names).chain((one) => element(one, parts)),
        },
        { weight: parts.odd, arbitrary: fc.constantFrom(...ODD) },
      ),
      { maxLength: 4 },
    )
    .map((all) => all.join(''));
}

function element(name: string, { odd, depth }: Parts): fc.Arbitrary<string> {
  const attributes = fc.constantFrom(...ATTRIBUTES);
  if (VOID.has(name)) {
    return fc
      .tuple(attributes, fc.constantFrom('', '/', ' /'))
      .map(([own, end]) => `<${name}${own}${end}>`);
  }
  return fc
    .tuple(attributes, inside(name, { odd, depth: depth - 1 }))
    .map(([own, content]) => `<${name}${own}>${content}</${name}>`);
}

/** Texts of HTML: well-formed, with so much in hundred that is not. */
export function htmlTexts(odd: number): fc.Arbitrary<string> {
  return inside('', { odd: odd / 5, depth: 4 });
}
