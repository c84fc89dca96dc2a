/** What a reader without script gets of a page. */
import { isUtf8 } from 'node:buffer';

export interface Page {
  /** The text between the tags, for a comparison. */
  readonly text: string;
  readonly hasScript: boolean;
  readonly hasLanguage: boolean;
}

/** Their content is not text of the page. */
const withoutText = new Set(['script', 'style', 'noscript', 'template', 'title']);

/** Reads the page once from its beginning to its end, because a hostile one may have millions of open tags. */
export function readPage(html: string): Page {
  const tags = /<(!--|[!?]|\/?[a-z][a-z\d-]*)/gi;
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

/** Entities of letters that are not a letter with an accent. */
const letters: Readonly<Record<string, string>> = { szlig: 'ss', aelig: 'æ', oelig: 'œ', eth: 'ð', thorn: 'þ' };

/** Entities that are neither letters nor digits. */
const signs = new Set(
  'amp apos bdquo bull cent copy deg emsp ensp euro gt hellip laquo ldquo lsaquo lsquo lt mdash middot minus nbsp ndash para pound quot raquo rdquo reg rsaquo rsquo sbquo sect shy thinsp times yen zwj zwnj'.split(
    ' ',
  ),
);

/** Stands for what cannot be read: bytes of another encoding, and the many other entities of HTML. */
export const unread = '\uFFFD';

/** For a comparison: only letters and digits, without accents, in lower case. Tags may stand inside a word. */
export function folded(text: string): string {
  return text
    .replace(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replace(/&([a-z]+\d*);/gi, (_all, name: string) => entity(name.toLowerCase()))
    .replace(/&#(x[\da-f]{1,6}|\d{1,7});/gi, (_all, code: string) => characterOf(Number(`0${code}`)))
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}\uFFFD]/gu, '');
}

function entity(name: string): string {
  return letters[name] ?? (signs.has(name) ? ' ' : unread);
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The text of a body, in the encoding that a page declares. Without one it is UTF-8, or what browsers take for Western pages. */
export function textOfPage(bytes: Buffer, contentType = ''): string {
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return bytes.toString('utf8');
  const beginning = bytes.toString('latin1', 0, 1024);
  const [, declared] = charset.exec(contentType) ?? /<meta\b[^>]*?charset\s*=\s*["']?([\w-]+)/i.exec(beginning) ?? [];
  try {
    return new TextDecoder(declared ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
  } catch {
    // Nobody knows an encoding of this name.
    return bytes.toString('utf8');
  }
}

const charset = /;\s*charset\s*=\s*["']?([\w-]+)/i;
