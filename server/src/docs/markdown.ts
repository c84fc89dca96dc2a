import { Marked } from 'marked';
import { code, escaped } from './html.ts';

/** Renders the Markdown of a description as HTML. */
export type Markdown = (text: string) => string;

/**
 * Code that names an operation or an error becomes a link. HTML in the text is shown as text.
 *
 * @param addressOf the address of what a piece of code names
 */
export function markdownWith(addressOf: (name: string) => string | undefined): Markdown {
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text }) => escaped(text),
      codespan({ text }) {
        const address = addressOf(text);
        return address === undefined ? code(text) : `<a href="${escaped(address)}">${code(text)}</a>`;
      },
    },
  });
  return (text) => marked.parse(text, { async: false });
}
