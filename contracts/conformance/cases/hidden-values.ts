/** The values of the active product that not everybody may see, and whether a response shows them. */
import { type Context, check, type Reply } from '../case.ts';
import type { ActiveProduct } from '../world.ts';

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
  const product = await world.activeProduct();
  const { values } = await product.api.passport(product.slug);
  const publicValues = values.filter(({ access_level }) => access_level === 'public');
  const open = JSON.stringify([product, publicValues]);
  const textsOf = (level: HiddenLevel): string[] =>
    values
      .filter(({ access_level }) => access_level === level)
      .flatMap(({ value }) => stringsIn(value))
      .filter((text) => text.length >= minHiddenLength && !open.includes(text));
  for (const level of needed) world.require(`${level} value`, textsOf(level).length > 0);
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
