/** The values of the active product that not everybody may see, and whether a response shows them. */
import { type Context, check, type Reply } from '../case.ts';
import type { ActiveProduct, World } from '../world.ts';

/** Shorter texts may occur anywhere on a page. */
const minHiddenLength = 8;

interface Hidden {
  readonly product: ActiveProduct;
  /** Texts that only a role may see. */
  readonly restricted: readonly string[];
  readonly authority: readonly string[];
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

type HiddenLevel = 'restricted' | 'authority';

/**
 * The hidden texts of the active product. Texts that occur in its public values are left out.
 *
 * @param needed the levels of which the case needs a text
 */
export async function hiddenOf({ world }: Context, needed: readonly HiddenLevel[] = ['restricted']): Promise<Hidden> {
  const hidden = await hiddenIn(await world.activeProduct());
  for (const level of needed) world.require(`${level} value`, hidden[level].length > 0);
  return hidden;
}

/** The hidden texts of a product that no token of the active product opens. */
export async function hiddenOfOther({ world, once }: Context, of: 'product' | 'tenant'): Promise<Hidden> {
  const found = await once(`product of another ${of}`, () => otherHidden(world, of));
  const need = of === 'tenant' ? 'active product of another tenant' : 'second active product';
  world.require(need, found !== undefined);
  return found as Hidden;
}

/** @param of whether the product belongs to another tenant, or is another one of the same tenant */
export async function otherHidden(world: World, of: 'product' | 'tenant'): Promise<Hidden | undefined> {
  for (const product of await world.otherActiveProducts(of === 'tenant' ? 'other tenants' : 'tenant')) {
    const hidden = await hiddenIn(product);
    if (hidden.restricted.length > 0) return hidden;
  }
  return undefined;
}

async function hiddenIn(product: ActiveProduct): Promise<Hidden> {
  const { values } = await product.api.passport(product.slug);
  const publicValues = values.filter(({ access_level }) => access_level === 'public');
  const open = JSON.stringify([product, publicValues]);
  const textsOf = (level: HiddenLevel): string[] =>
    values
      .filter(({ access_level }) => access_level === level)
      .flatMap(({ value }) => stringsIn(value))
      .filter((text) => text.length >= minHiddenLength && !open.includes(text));
  const [restricted, authority] = [textsOf('restricted'), textsOf('authority')];
  const keys = values.filter((value) => !publicValues.includes(value)).map(({ field_key }) => field_key);
  return {
    product,
    restricted,
    authority,
    texts: [...restricted, ...authority],
    keys: keys.filter((key) => !open.includes(key)),
  };
}

/** Texts of the active product's public values that contain a tag, each from the beginning of the tag. */
export async function markupOf({ world }: Context): Promise<readonly string[]> {
  const { api, slug } = await world.activeProduct();
  const { values } = await api.passport(slug);
  const texts = values.filter((one) => one.access_level === 'public').flatMap(({ value }) => stringsIn(value));
  const found = texts.flatMap((text) => tagsIn(text).map((at) => text.slice(at).trim()));
  world.require('value with markup', found.length > 0);
  return found;
}

/** Elements of HTML whose content is text. */
const textElement = /^(?:script|style|title|textarea)$/i;

/** Where the tags of HTML begin, except in comments, attributes, and elements whose content is text. */
export function tagsIn(html: string): number[] {
  const found: number[] = [];
  const next = /<!--|<\/?([a-z][^\s/>"'<]*)(?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
  for (let tag = next.exec(html); tag !== null; tag = next.exec(html)) {
    const [text, name = ''] = tag;
    if (text !== '<!--') found.push(tag.index);
    const end = text === '<!--' ? /-->/g : textElement.test(name) ? new RegExp(`</${name}`, 'gi') : undefined;
    if (end === undefined || text.startsWith('</')) continue;
    end.lastIndex = next.lastIndex;
    // Without its end, the comment or the element has the rest of the page.
    if (!end.test(html)) break;
    next.lastIndex = end.lastIndex;
  }
  return found;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export async function showsNone({ sendFaulty }: Context, path: string, texts: readonly string[]): Promise<void> {
  const reply = await sendFaulty({ path });
  const shown = texts.filter((text) => shows(reply, text));
  check(shown.length === 0, `the response must show no hidden value, shows ${shown.length} of ${texts.length}`);
}

/** Whether a response contains the text, plain or escaped as HTML or JSON does. */
export function shows({ text }: Reply, wanted: string): boolean {
  const html = wanted.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = [
    wanted,
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    JSON.stringify(wanted).slice(1, -1),
  ];
  return forms.some((form) => text.includes(form));
}
