import { type FileReport, summarizeImports, summarySentences } from './import-report.ts';
import { placeOf } from './report-columns.ts';
import { SEVERITY_WORDS } from './severity-words.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function text(value: string | number): string {
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1b1f24,#e6e9ed);--faint:light-dark(#5b6470,#9aa4b0);
--line:light-dark(#dde1e6,#343a42);--ground:light-dark(#fff,#16191d);--soft:light-dark(#f5f6f8,#1e2227);
--bad:light-dark(#b3261e,#ff8f85);--warn:light-dark(#8a5a00,#f0b84a);--good:light-dark(#176b3a,#6fd09a)}
body{margin:0 auto;max-width:1180px;padding:32px 24px;background:var(--ground);color:var(--ink);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:22px;margin:0 0 12px}h2{font-size:15px;margin:28px 0 8px}p{margin:4px 0}
.lead{font-size:16px;font-weight:600}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:6px 10px;
border-bottom:1px solid var(--line)}thead th{position:sticky;top:0;background:var(--soft);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.faint{color:var(--faint)}
.bad{color:var(--bad)}.warn{color:var(--warn)}.good{color:var(--good)}
td.path{overflow-wrap:anywhere;max-width:320px}summary{cursor:pointer}
details ul{margin:4px 0 0;padding-left:18px}`;

function outcome(file: FileReport): string {
  if (file.refusal !== null) {
    const place = placeOf(file.refusal.details);
    const where = place === '' ? '' : ` <span class="faint">(${text(place)})</span>`;
    return `<span class="bad">Refused</span> ${text(file.refusal.message)}${where} <code>${text(file.refusal.code)}</code>`;
  }
  const items = file.kinds
    .map(
      ({ kind, severity, count }) =>
        `<li>${SEVERITY_WORDS[severity]}: ${text(kind)} × ${count}</li>`,
    )
    .join('');
  const first = `<span class="${file.blocking === 0 ? 'good' : ''}">${text(file.first)}</span>`;
  return items === '' ? first : `<details><summary>${first}</summary><ul>${items}</ul></details>`;
}

function row(file: FileReport): string {
  const number = (value: number, tone: string): string =>
    file.status === 'refused'
      ? '<td class="n faint">–</td>'
      : `<td class="n${value > 0 ? ` ${tone}` : ' faint'}">${value}</td>`;
  const family = file.family ?? '–';
  return `<tr><td class="path">${text(file.path)}</td><td>${text(file.source ?? '–')}</td><td>${text(family)}</td>${number(file.nodes, '')}${number(file.blocking, 'bad')}${number(file.manual, 'warn')}${number(file.info, '')}<td>${outcome(file)}</td></tr>`;
}

/** The report as one page without scripts or outside files, for light and dark screens. */
export function reportHtml(files: readonly FileReport[]): string {
  const summary = summarizeImports(files);
  const [lead = '', ...more] = summarySentences(summary);
  const causes = summary.causes
    .map(
      ({ title, files: count, gaps, alone }) =>
        `<tr><td>${text(title)}</td><td class="n">${count}</td><td class="n">${gaps}</td><td class="n">${alone}</td></tr>`,
    )
    .join('\n');
  const causesTable =
    causes === ''
      ? ''
      : `<h2>What blocks</h2>
<table><thead><tr><th>Cause</th><th class="n">Files</th><th class="n">Gaps</th><th class="n">Files with no other cause</th></tr></thead>
<tbody>
${causes}
</tbody></table>
`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Import report</title><style>${STYLE}</style></head>
<body><h1>Import report</h1>
<p class="lead">${text(lead)}</p>
${more.map((sentence) => `<p>${text(sentence)}</p>`).join('\n')}
${causesTable}<h2>Files</h2>
<table><thead><tr><th>File</th><th>Source</th><th>Family</th><th class="n">Steps</th><th class="n">Blocking</th><th class="n">To review</th><th class="n">For information</th><th>First thing to do</th></tr></thead>
<tbody>
${files.map(row).join('\n')}
</tbody></table>
</body></html>
`;
}
