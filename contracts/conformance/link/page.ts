/** What a reader without script gets of a page. */

export interface Page {
  /** The text between the tags. */
  readonly text: string;
  readonly hasScript: boolean;
  readonly hasLanguage: boolean;
}

/** Their content is not text of the page. */
const withoutText = new Set(['script', 'style', 'noscript', 'template', 'title']);

/** Reads the page once from its beginning to its end, because a hostile one may have millions of open tags. */
export function readPage(html: string): Page {
  const tags = /<(!--|\/?[a-z][a-z\d-]*)/gi;
  const texts: string[] = [];
  let [hasScript, hasLanguage] = [false, false];
  let at = 0;
  const endOf = (mark: RegExp, from: number): number => {
    mark.lastIndex = from;
    return mark.exec(html) === null ? html.length : mark.lastIndex;
  };
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    texts.push(html.slice(at, tag.index));
    const name = tag[1]?.toLowerCase() ?? '';
    at = endOf(name === '!--' ? /-->/g : />/g, tags.lastIndex);
    const attributes = html.slice(tags.lastIndex, at);
    hasLanguage ||= name === 'html' && /\slang\s*=\s*["']?[a-z]/i.test(attributes);
    hasScript ||= name === 'script' && !/\bld\+json\b/i.test(attributes);
    if (withoutText.has(name)) at = endOf(new RegExp(`</${name}`, 'gi'), at);
    tags.lastIndex = at;
  }
  texts.push(html.slice(at));
  return { text: folded(texts.join(' ')), hasScript, hasLanguage };
}

/** For a comparison: without accents, however they are written, in lower case. */
export function folded(text: string): string {
  return text
    .replace(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replace(/&#(x[\da-f]{1,6}|\d{1,7});/gi, (_all, code: string) => characterOf(Number(`0${code}`)))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
