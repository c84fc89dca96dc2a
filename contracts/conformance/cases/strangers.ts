/** LEAK-4: no public operation shows a hidden value to a viewer without a valid access token. */
import type { Contract, Operation } from '@product-passport/openapi';
import { type Case, type Context, check, clauseOf, family, type Reply } from '../case.ts';
import type { Provider } from '../provider.ts';
import { needsOf, variationsOf } from '../valid-requests.ts';
import { checkHidden, findOther, forged, type Hidden, hiddenIn, hiddenOf } from './hidden-values.ts';
import { acceptedGtins } from './products.ts';

export function strangers({ operations }: Contract): readonly Case[] {
  return operations.filter(({ side }) => !side.secured).flatMap(casesOf);
}

function casesOf(operation: Operation): Case[] {
  const { operationId, claim } = operation;
  const needs = new Set([...needsOf(operation), 'active product', 'restricted value', 'field key'] as const);
  const hides = family('LEAK-4', { claim, clause: clauseOf(operation), needs: [...needs] });
  const hidesAll = (what: 'texts' | 'keys'): Case['run'] => {
    return async (context) => {
      const hidden = (await hiddenOfRun(context)).flatMap((one) => one[what]);
      for (const [of, reply] of await repliesOf(operation, context)) checkHidden(reply, hidden, of);
    };
  };
  return [
    hides(operationId, `${operationId} shows no hidden value without a valid access token.`, hidesAll('texts')),
    hides.reference(
      `${operationId}-keys`,
      `${operationId} shows no key of a hidden value without a valid access token.`,
      hidesAll('keys'),
    ),
  ];
}

/** The responses to all that a stranger may request of an operation. */
function repliesOf(operation: Operation, context: Context): Promise<(readonly [of: string, reply: Reply])[]> {
  const { operationId, path, responses } = operation;
  return context.once(`${operationId} for strangers`, async (own) => {
    const { provider, world, send, sendFaulty } = own;
    const ofGtin = path.includes('{gtin}');
    if (ofGtin) await world.gtin();
    const products = (await hiddenOfRun(own)).map(({ product }) => product);
    const asks = products
      .filter(({ gtin }) => !ofGtin || typeof gtin === 'string')
      .flatMap((product) => variationsOf(operation, product, { zugang: closedTokens(provider, product) }));
    const different = new Map(asks.map((ask) => [JSON.stringify(ask), { ...ask, key: null }]));
    const replies: (readonly [string, Reply])[] = [];
    for (const ask of different.values()) {
      // The first one is about the active product. It is the control: there is a response that could show something.
      const isControl = replies.length === 0;
      const reply = await (isControl ? send : sendFaulty)(ask);
      const isServed = reply.status < 400 && String(reply.status) in responses;
      check(isServed || !isControl, `the status of ${ask.path} must be documented and below 400, is ${reply.status}`);
      replies.push([`the response to ${ask.method} ${ask.path}`, reply]);
    }
    return replies;
  });
}

/** Tokens that do not open the product: an altered one, and the provider's others. */
function closedTokens(
  { access_tokens: all = [], expired_access_token: expired }: Provider,
  { tenant, slug }: Hidden['product'],
): string[] {
  const opens = ({ tenant: of, product, revoked = false }: (typeof all)[number]): boolean =>
    of === tenant && (product === null || product === slug) && !revoked;
  const own = all.find(opens)?.token ?? 'verify-unknown-token';
  const others = all.filter((one) => !opens(one)).map(({ token }) => token);
  return [forged(own), ...others, ...(expired === undefined ? [] : [expired])];
}

const draftTexts = ['Verify value of a draft', 'Verify restricted value of a draft'] as const;

/** The active product first, then others that are active, a draft and an archived product, as far as there are any. */
function hiddenOfRun(context: Context): Promise<Hidden[]> {
  return context.once('hidden values of the run', async (own) => {
    const { api, world } = own;
    const active = await hiddenOf(own);
    const others = [await findOther(own, 'product'), await findOther(own, 'tenant')];
    const { slug: tenant } = world.tenant();
    const draft = await world.product('gtin-13-digits', { gtin: acceptedGtins['13-digits'] });
    const [shown, restricted] = [await world.fieldKey(), await world.fieldKey(1)];
    await api.put(draft.slug, [
      { field_key: shown, value: draftTexts[0] },
      { field_key: restricted, value: draftTexts[1], access_level: 'restricted' },
    ]);
    const { items } = await api.list({ status: 'archived', limit: 5 });
    const archived = await Promise.all(items.map((item) => hiddenIn({ ...item, tenant, api })));
    const found = [
      ...[active, ...others].filter((one) => one !== undefined),
      ...(draft.status === 'draft'
        ? [{ ...active, product: { ...draft, tenant, api }, open: '', texts: draftTexts, keys: [] }]
        : []),
      ...archived,
    ];
    const isOpen = (text: string): boolean => found.some(({ open }) => open.includes(text));
    return found.map((one) => ({
      ...one,
      texts: one.texts.filter((text) => !isOpen(text)),
      keys: one.keys.filter((key) => !isOpen(key)),
    }));
  });
}
