/** What the page of a passport says to a reader without script. */
import { isUtf8 } from 'node:buffer';
import { gtin14, hasValidCheckDigit } from '@product-passport/openapi';
import { jsonIn } from '../http/exchange.ts';
import { gtinInAddress } from './address.ts';
import { ownGtinsIn, type ProductWords } from './documents.ts';

export interface Page {
  /** What people see or hear: the text, and the attributes `title`, `alt` and `aria-label`. */
  readonly shown: string;
  /** The same for a comparison, with a space between two words, before the first and after the last. */
  readonly words: string;
  /** The same without spaces. */
  readonly joined: string;
  /** The number of letters of the text alone. One of Japanese, Chinese or Korean counts as three. */
  readonly letters: number;
  readonly hasScript: boolean;
  readonly hasLanguage: boolean;
  readonly hasPasswordField: boolean;
  /** The GTINs that the page names as its own, with 14 digits. */
  readonly gtins: readonly string[];
  /** What a browser loads with the page, as it is written. */
  readonly loaded: readonly string[];
}

/** How much of a tag is read, in characters. */
const maxTag = 20_000;

/** How much text of a page is compared, in characters. One of a hostile page may stand for eighteen letters. */
const maxText = 200_000;

/** Their content is not text of the page. */
const withoutText = new Set(['script', 'style', 'noscript', 'template', 'title']);

interface Tag {
  /** The text before it. */
  readonly before: string;
  /** In lower case. The end of the page has no name. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What is not text of the page, such as a script. */
  readonly content: string;
}

/** Reads the page once from its beginning to its end, because a hostile one may have millions of open tags. */
function* tagsIn(html: string): Generator<Tag> {
  const tags = /<(!--|[!?]|\/?[a-z][a-z\d-]*)/gi;
  let at = 0;
  const endOf = (mark: RegExp, from: number): number => {
    mark.lastIndex = from;
    return mark.exec(html) === null ? html.length : mark.lastIndex;
  };
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    const before = html.slice(at, tag.index);
    const name = tag[1]?.toLowerCase() ?? '';
    at = endOf(name === '!--' ? /-->/g : />/g, tags.lastIndex);
    const text = name === '!--' ? '' : html.slice(tags.lastIndex, Math.min(at, tags.lastIndex + maxTag));
    const begin = at;
    if (withoutText.has(name)) at = endOf(new RegExp(`</${name}`, 'gi'), at);
    yield { before, name, attributes: attributesIn(text), content: html.slice(begin, at).replace(/<\/\w+$/, '') };
    tags.lastIndex = at;
  }
  yield { before: html.slice(at), name: '', attributes: {}, content: '' };
}

export function readPage(html: string): Page {
  const [texts, labels, unlinked]: [string[], string[], string[]] = [[], [], []];
  const [gtins, loaded]: [string[], string[]] = [[], []];
  let [hasScript, hasLanguage, hasPasswordField, isInLink, isGtin] = [false, false, false, false, false];
  for (const tag of tagsIn(html)) {
    const { before, name, attributes } = tag;
    texts.push(before);
    if (!isInLink) unlinked.push(before);
    if (isGtin) gtins.push(before);
    if (name === 'a' || name === '/a') isInLink = attributes.href !== undefined;
    isGtin = isGtinProperty(attributes);
    gtins.push(...gtinsOf(tag));
    loaded.push(...loadedBy(tag));
    labels.push(...[attributes.title, attributes.alt, attributes['aria-label']].filter((one) => one !== undefined));
    hasScript ||= name === 'script' && !isData(tag);
    hasLanguage ||= name === 'html' && /^[a-z]/i.test(attributes.lang ?? '');
    hasPasswordField ||= name === 'input' && /^password$/i.test(attributes.type ?? '');
  }
  const text = decoded(texts.join(' ')).slice(0, maxText);
  const shown = `${text} ${decoded(labels.join(' ')).slice(0, maxText)}`;
  const own = [...gtins, ...labelledGtins(decoded(unlinked.join(' ')).slice(0, maxText))].map((one) =>
    one.replace(/[\s-]/g, ''),
  );
  const words = ` ${folded(shown, ' ').trim()} `;
  return {
    ...{ shown, words, joined: words.replaceAll(' ', ''), letters: lettersIn(text), loaded },
    ...{ hasScript, hasLanguage, hasPasswordField },
    gtins: own.filter((one) => gtinForm.test(one)).map(gtin14),
  };
}

function isData({ name, attributes }: Tag): boolean {
  return name === 'script' && /\bld\+json\b/i.test(attributes.type ?? '');
}

/** In microdata, RDFa and the tags of shops. */
function isGtinProperty({ itemprop, property }: Tag['attributes']): boolean {
  return /^(?:schema:|product:|og:|gs1:)?(?:gtin(?:8|12|13|14)?|ean)$/i.test(itemprop ?? property ?? '');
}

/** The GTINs that a tag has for programs. */
function gtinsOf(tag: Tag): readonly string[] {
  const { name, attributes, content } = tag;
  if (isData(tag)) return ownGtinsIn(jsonIn(content)).flat();
  if (isGtinProperty(attributes)) return [attributes.content ?? ''];
  return name === 'link' && attributes.rel === 'canonical' ? [gtinInAddress(attributes.href ?? '') ?? ''] : [];
}

function loadedBy({ name, attributes: { src, href, rel = '' } }: Tag): readonly string[] {
  const isLoading = name === 'link' && /\b(?:stylesheet|preload|icon)\b/i.test(rel);
  const address = /^(?:script|img|iframe|embed|source|video|audio)$/.test(name) ? src : isLoading ? href : undefined;
  return address === undefined ? [] : [address];
}

const gtinForm = /^(?:\d{8}|\d{12,14})$/;

/** By lower-case name, with decoded values. */
function attributesIn(text: string): Readonly<Record<string, string>> {
  if (text.length < 4) return {};
  const found = text.matchAll(/(?<![^\s"'<>/=])([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g);
  return Object.fromEntries(
    Array.from(found, ([, name = '', ...values]) => [name.toLowerCase(), decoded(values.find(Boolean) ?? '')]),
  );
}

/** The numbers after GTIN or EAN. A number that people read in groups has spaces. */
function labelledGtins(text: string): readonly string[] {
  const label = /\b(?:GTIN|EAN)(?:[- ]?(?:8|12|13|14)\b)?(?:[- ]?(?:code|nummer|number|no|nr))?[^\p{L}\d]{0,20}/giu;
  return [...text.matchAll(label)].flatMap(({ 0: all, index }) => {
    const [number = ''] = /^\d[\d\s-]*/.exec(text.slice(index + all.length).slice(0, 30)) ?? [];
    const [first = ''] = number.split(/[\s-]/);
    if (gtinForm.test(first)) return [first];
    const digits = number.replace(/\D/g, '');
    const known = [14, 13, 12, 8].map((length) => digits.slice(0, length));
    return known.filter((one) => gtinForm.test(one) && hasValidCheckDigit(one)).slice(0, 1);
  });
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function lettersIn(text: string): number {
  return Array.from(text.matchAll(/[\p{L}\uFFFD]/gu), ([letter]) => (wide.test(letter) ? 3 : 1)).reduce(
    (sum: number, one) => sum + one,
    0,
  );
}

/** Whether the page shows the name, a GTIN, or two other texts of the product. */
export function isSeen(page: Page, { names, gtins, texts }: ProductWords): boolean {
  if (isNamed(page, { names, gtins, texts })) return true;
  const found = [...new Set(texts.map((text) => folded(text).slice(0, 60)))].filter((text) => isShown(page, text));
  // A text in another one is not a second text.
  return found.some((one) => found.some((other) => !one.includes(other) && !other.includes(one)));
}

/** Whether the page shows the name or a GTIN. */
export function isNamed(page: Page, { names, gtins }: ProductWords): boolean {
  return names.some((name) => isNameShown(page, name)) || gtins.some((gtin) => hasGtin(page.shown, gtin));
}

/** A short name, such as `A1`, must be whole words. */
function isNameShown(page: Page, name: string): boolean {
  const words = folded(name, ' ').trim();
  const isShort = lettersIn(words) < 4 && !wide.test(words);
  return isShort ? words !== '' && page.words.includes(` ${words} `) : isShown(page, folded(name));
}

/** In any of its forms: with or without leading zeros, and in groups of digits. */
function hasGtin(text: string, gtin: string): boolean {
  const digits = gtin.replace(/^0+/, '').padStart(8, '0');
  return new RegExp(`(?<!\\d)(?:0[\\s.-]?){0,6}${[...digits].join('[\\s.-]?')}(?!\\d)`).test(text.normalize('NFKC'));
}

/** @param text folded */
function isShown({ joined }: Page, text: string): boolean {
  if (text === '' || joined.includes(text)) return text !== '';
  if (!joined.includes(unread)) return false;
  // `ß` is one letter on the page, and two for a comparison. Most of the text must be readable.
  const parts = [...text.replaceAll('ss', 'ß')].map((one) =>
    one === 'ß' ? '(?:[s\uFFFD]{2}|\uFFFD)' : `[${one}\uFFFD]`,
  );
  for (const [, match = ''] of joined.matchAll(new RegExp(`(?=(${parts.join('')}))`, 'gu'))) {
    if (match.split(unread).length - 1 <= match.length / 2) return true;
  }
  return false;
}

/** Whether over a tenth of the characters are no text: those of a picture, for example. */
export function isNoText(body: string): boolean {
  const others = body.match(/(?![\t\n\f\r])[\p{Cc}\uFFFD]/gu)?.length ?? 0;
  return others > body.length / 10;
}

/** Whether bytes were read in another encoding than they were written in. */
export function isGarbled(body: string): boolean {
  return /\uFFFD|\u00C3[\u00A1-\u00BF]|\u00E2\u20AC/.test(body);
}

/** Entities of letters that are not a letter with an accent. */
const letters: Readonly<Record<string, string>> = { szlig: 'ss', aelig: 'æ', oelig: 'œ', eth: 'ð', thorn: 'þ' };

/** Entities that are neither letters nor digits. */
const signs = new Set(
  'apos bdquo bull cent copy deg emsp ensp euro gt hellip laquo ldquo lsaquo lsquo lt mdash middot minus nbsp ndash para pound quot raquo rdquo reg rsaquo rsquo sbquo sect shy thinsp times trade yen zwj zwnj'.split(
    ' ',
  ),
);

/** Stands for what cannot be read: bytes of another encoding, and the many other entities of HTML. */
const unread = '\uFFFD';

/** Text without entities. */
function decoded(html: string): string {
  if (!html.includes('&')) return html;
  return html
    .replace(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replace(/&#(x[\da-f]{1,6}|\d{1,7});/gi, (_all, code: string) => characterOf(Number(`0${code}`)))
    .replace(/&([a-z]+\d*);/gi, (_all, name: string) => entity(name.toLowerCase()));
}

/** For a comparison: only letters and digits, without accents, in lower case. */
function folded(text: string, separator = ''): string {
  return text
    .replace(/[™®©\u00AD\u200B-\u200D]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}\uFFFD]+/gu, separator);
}

function entity(name: string): string {
  if (name === 'amp') return '&';
  if (name === 'shy' || name === 'trade' || name === 'zwj' || name === 'zwnj') return '';
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
    return new TextDecoder(marked(beginning) ?? declared ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
  } catch {
    // Nobody knows an encoding of this name.
    return bytes.toString('utf8');
  }
}

const charset = /;\s*charset\s*=\s*["']?([\w-]+)/i;

/** The encoding of a byte order mark, which counts more than what a page declares. */
function marked(beginning: string): string | undefined {
  const [, little, big, utf8] = /^(?:(\xFF\xFE)|(\xFE\xFF)|(\xEF\xBB\xBF))/.exec(beginning) ?? [];
  return (little && 'utf-16le') ?? (big && 'utf-16be') ?? (utf8 && 'utf-8');
}
