/** SRCH: the search in product names. */
import type { ProductList } from '@product-passport/sdk';
import { shown } from '../../judge/finding.ts';
import { type Api, slugsOf } from '../api.ts';
import { type Case, check, checkEqual, family } from '../case.ts';
import type { Claim } from '../claims.ts';
import { nameOnly } from './products.ts';

const clause = '/paths/~1api~1v1~1products/get/parameters/1';
const path = '/api/v1/products';

const substring = family('SRCH-1', { claim: 'core', clause });
const letters = family('SRCH-2', { claim: 'reference', clause });
const lengths = family('SRCH-3', { claim: 'reference', clause });

const name = 'Verify Search Quxomatic Lamp';
const lamp = ['search', name] as const;
const inName = {
  whole: name,
  beginning: 'Verify Search Q',
  middle: 'uxomati',
  end: 'matic Lamp',
  'upper-case': 'QUXOMATIC LAMP',
  'lower-case': 'quxomatic lamp',
  blank: 'c L',
};

/** Only the encoding of HTML forms says that + is a blank. */
const encodings: readonly (readonly [string, Claim])[] = [
  ['quxomatic%20lamp', 'core'],
  ['quxomatic+lamp', 'reference'],
  ['%71uxomatic%20l%61mp', 'core'],
];

/** A wildcard, an escape or a comment would find the second name, too. */
const literals = 'Verify Literals 100% a_b c\\d e\'f g"h i;--j k*l (m) [n] o+p q&r s#t';
const plain = 'Verify Literals 1000 axb cd ef gh ij kkl m n oop qr st';
const literal: Readonly<Record<string, string>> = {
  percent: '100%',
  'percent-between': '10%a_b',
  underscore: 'a_b',
  backslash: 'c\\d',
  apostrophe: "e'f",
  quote: 'g"h',
  comment: 'i;--j',
  star: 'k*l',
  parentheses: '(m)',
  brackets: '[n]',
  plus: 'o+p',
  ampersand: 'q&r',
  hash: 's#t',
};
/** The description says that the search looks for a substring. Of the other characters it says nothing. */
const coreLiterals = ['percent', 'percent-between', 'underscore'];

/** Letters beyond ASCII: the name has one form, the search the other. `ñ` is decomposed in the name. */
const folding = 'Verify Folding Größe MASSE Привет ΟΔΥΣΣΕΥΣ λόγος 🧦 Crêpe Man\u0303ana Łódź';
const folded = {
  'sharp-s': 'GRÖSSE',
  'double-s': 'maße',
  cyrillic: 'ПРИВЕТ',
  greek: 'οδυσσευς',
  'final-sigma': 'ΛΌΓΟΣ',
  emoji: '🧦',
  decomposed: 'CRE\u0302PE',
  composed: 'MAÑANA',
  polish: 'łÓDŹ',
};

/** What nobody sees, or sees as another character: no-break space, soft hyphen, capital I with a dot, full width. */
const printed = 'Verify Printed USB-C\u00a0Kabel Sicher\u00adheit \u0130zmir \uff21\uff14 \uff11\uff0d2';
const typed = {
  'no-break-space': 'usb-c kabel',
  'soft-hyphen': 'SICHERHEIT',
  'zero-width-space': 'izm\u200bir',
  'dotted-i': 'izmir',
  'dotted-i-decomposed': 'I\u0307ZMIR',
  'full-width': 'a4 1-2',
};

export const search: readonly Case[] = [
  ...Object.entries(inName).map(([where, text]) =>
    substring(where, `A search for ${JSON.stringify(text)} finds ${JSON.stringify(name)}.`, finds(lamp, text)),
  ),
  substring('only', 'A search finds only names that contain the text.', async ({ api, world }) => {
    await world.product('search', { name });
    const { items } = await api.list({ search: 'verify', limit: 200 });
    const others = items.map((item) => item.name).filter((other) => !/verify/i.test(other));
    check(others.length === 0, `the search also finds ${shown(others)}, which do not contain the text`);
    check(items.length > 0, 'the search must find a product');
  }),
  substring('nothing', 'A search that no name contains finds nothing.', async ({ api, world }) => {
    await world.product('search', { name });
    await findsNothing(api, 'quxomatic zzlamp');
  }),
  substring(
    'word-order',
    'A search finds its text as a whole, not its words in any order.',
    misses(lamp, 'Lamp Quxomatic', 'Verify Lamp'),
  ),
  substring('name-only', 'A search looks only at the name.', async (context) => {
    const { slug } = await context.world.product('search-fields', nameOnly);
    // The provider may choose any slug.
    const texts = ['zyxmodel', slug].filter((text) => !'verify fields'.includes(text.toLowerCase()));
    await misses(['search-fields', nameOnly.name], ...texts)(context);
  }),
  substring('with-status', 'A search and a status filter both apply.', async ({ api, world }) => {
    const { slug, status } = await world.product('search', { name });
    for (const other of ['draft', 'active', 'archived']) {
      const { items } = await api.list({ search: name, status: other });
      const isFound = items.some((item) => item.slug === slug);
      checkEqual(isFound, other === status, `whether status=${other} finds the ${status} product`);
    }
  }),
  substring('with-paging', 'total, limit and offset count the products found.', async ({ api, world }) => {
    const products = await Promise.all(
      ['one', 'two', 'three'].map((which) =>
        world.product(`search-page-${which}`, { name: `Verify Wuxopage ${which}` }),
      ),
    );
    // An earlier run may have left more products with these names, if the provider had a mistake then.
    const whole = await found(api, 'WUXOPAGE');
    const missed = products.map(({ slug }) => slug).filter((slug) => !whole.includes(slug));
    check(missed.length === 0, `the search must also find ${shown(missed)}`);
    const pages = [];
    for (const offset of [0, 1, 2]) pages.push(await api.list({ search: 'WUXOPAGE', limit: 1, offset }));
    const last = await api.list({ search: 'WUXOPAGE', limit: 1, offset: whole.length });
    checkEqual(
      [...pages, last].map(({ total }) => total),
      Array.from({ length: 4 }, () => whole.length),
      'the totals of the pages',
    );
    checkEqual(last.items, [], 'items');
    const slugs = pages.flatMap(({ items }) => items.map(({ slug }) => slug));
    checkEqual(slugs, whole.slice(0, 3), 'the joined pages');
  }),
  ...encodings.map(([text, claim], index) =>
    substring.with({ claim })(
      `encoded-${index + 1}`,
      `search=${text} finds ${JSON.stringify(name)}.`,
      async (context) => {
        const { slug } = await context.world.product('search', { name });
        const { status, json } = await context.send({ path, query: `search=${text}` });
        checkEqual(status, 200, 'the status');
        const slugs = slugsOf((json as ProductList).items);
        check(slugs.includes(slug), `the search must find the product ${slug}`);
      },
    ),
  ),
  ...['%00', '%F0%9F%A7%A6', '%FF', "'%20OR%201=1--"].map((text, index) =>
    substring(`hostile-${index + 1}`, `search=${text} causes no server error.`, async ({ sendFaulty }) => {
      const { status } = await sendFaulty({ path, query: `search=${text}` });
      check(status < 500, `the search must cause no server error, gets ${status}`);
    }),
  ),
  ...Object.entries(literal).map(([which, text]) =>
    letters.with({ claim: coreLiterals.includes(which) ? 'core' : 'reference' })(
      `literal-${which}`,
      `${JSON.stringify(text)} stands for itself.`,
      async (context) => {
        const product = ['search-literals', literals] as const;
        await (literals.includes(text) ? finds : misses)(product, text)(context);
        await misses(['search-plain', plain], text)(context);
      },
    ),
  ),
  ...Object.entries(folded).map(([which, text]) =>
    letters(`folding-${which}`, `${text} finds ${JSON.stringify(folding)}.`, finds(['search-folding', folding], text)),
  ),
  ...Object.entries(typed).map(([which, text]) =>
    letters(
      `typed-${which}`,
      `${JSON.stringify(text)} finds ${JSON.stringify(printed)}.`,
      finds(['search-printed', printed], text),
    ),
  ),
  letters('literal-full-width', '"10\uff05" finds what "10%" finds, which is no wildcard.', async (context) => {
    await finds(['search-literals', literals], '100\uff05 A')(context);
    await misses(['search-plain', plain], '10\uff050')(context);
  }),
  letters(
    'accents',
    'A letter without its accent is another letter.',
    misses(['search-folding', folding], 'Folding Große'),
  ),
  lengths('empty', 'An empty search does not filter.', async ({ api }) => {
    const { total } = await api.list({ limit: 1 });
    checkEqual((await api.list({ limit: 1, search: '' })).total, total, 'total');
  }),
  lengths('nothing-visible', 'A search for a soft hyphen alone does not filter.', async ({ api }) => {
    const { total } = await api.list({ limit: 1 });
    checkEqual((await api.list({ limit: 1, search: '\u00ad' })).total, total, 'total');
  }),
  ...Object.entries({ '1001': 1001, '10-kb': 10_000 }).map(([which, length]) =>
    lengths(`length-${which}`, `A search of ${length} characters finds nothing.`, ({ api }) =>
      findsNothing(api, 'a'.repeat(length)),
    ),
  ),
  lengths('not-trimmed', 'White space around the text counts.', misses(lamp, ` ${name}`, `${name} `)),
];

/** The slugs of the first 200 products found. */
async function found(api: Api, text: string): Promise<string[]> {
  return slugsOf((await api.list({ search: text, limit: 200 })).items);
}

async function findsNothing(api: Api, text: string): Promise<void> {
  const { items, total } = await api.list({ search: text });
  checkEqual(items, [], 'items');
  checkEqual(total, 0, 'total');
}

/** The purpose of a product, and its name. */
type Named = readonly [purpose: string, name: string];

function finds([purpose, name]: Named, text: string): Case['run'] {
  return async ({ api, world }) => {
    const { slug } = await world.product(purpose, { name });
    check((await found(api, text)).includes(slug), `the search must find the product ${slug}`);
  };
}

function misses([purpose, name]: Named, ...texts: readonly string[]): Case['run'] {
  return async ({ api, world }) => {
    const { slug } = await world.product(purpose, { name });
    for (const text of texts) {
      check(!(await found(api, text)).includes(slug), `a search for ${shown(text)} must not find the product ${slug}`);
    }
  };
}
