import { Marked } from 'marked';

/** Renders the Markdown of a description as HTML. */
export type Markdown = (text: string) => string;

/**
 * Code that names an operation or an error becomes a link. HTML in the text is shown as text.
 *
 * @param linkOf the address of what a piece of code names
 */
export function markdownWith(linkOf: (name: string) => string | undefined): Markdown {
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text }) => escaped(text),
      codespan({ text }) {
        const address = linkOf(text);
        return address === undefined ? code(text) : `<a href="${escaped(address)}">${code(text)}</a>`;
      },
    },
  });
  return (text) => marked.parse(text, { async: false });
}

/** Text as HTML shows it, also inside an attribute. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A value as code. */
export function code(value: unknown): string {
  return `<code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}

/** The parts of JSON, shell commands, JavaScript and Python that an example colours. */
const parts = new RegExp(
  [
    /(?<name>"(?:[^"\\\n]|\\.)*"(?=:))/,
    /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*')/,
    /(?<=^|[\s([{,])(?<option>-{1,2}[A-Za-z][\w-]*)/,
    /\b(?<word>as|await|const|for|from|import|of|with|true|false|null)\b/,
    /(?<=[\s([,])(?<number>-?\d+(?:\.\d+)?)(?=[\s)\],}]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** An example as HTML with coloured parts. HTML itself stays plain. */
export function coloured(text: string): string {
  if (text.startsWith('<')) return escaped(text);
  let html = '';
  let end = 0;
  for (const { 0: part, index, groups = {} } of text.matchAll(parts)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    html += escaped(text.slice(end, index)) + colouredPart(part, `${kind}`);
    end = index + part.length;
  }
  return html + escaped(text.slice(end));
}

/** A quoted body of a shell command is JSON. */
function colouredPart(part: string, kind: string): string {
  if (/^'[[{]/.test(part)) return `'${coloured(part.slice(1, -1))}'`;
  return `<span class="code-${kind}">${escaped(part)}</span>`;
}
