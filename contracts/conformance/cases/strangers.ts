/** LEAK-4: no public operation shows a hidden value to a viewer without a valid access token. */
import type { Contract, Operation } from '@product-passport/openapi';
import { type Ask, type Case, type Context, check, clauseOf, family, type Reply } from '../case.ts';
import type { Provider } from '../provider.ts';
import { elementPath, needsOf, variationsOf, withDppIds } from '../valid-requests.ts';
import { checkHidden, findOther, forged, type Hidden, hiddenIn, hiddenOf } from './hidden-values.ts';
import { acceptedGtins } from './products.ts';

export function strangers({ operations }: Contract): readonly Case[] {
  return operations.filter(({ side }) => !side.secured).flatMap(casesOf);
}

function casesOf(operation: Operation): Case[] {
  const { operationId, claim, also } = operation;
  const needs = new Set([...needsOf(operation), 'active product', 'restricted value', 'field key'] as const);
  const hides = family('LEAK-4', { claim, also, clause: clauseOf(operation), needs: [...needs] });
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
    const subjects = await hiddenOfRun(own);
    const named = operation.side.root === '/dpp/v1' ? await withIds(subjects, await world.site()) : subjects;
    const [control, ...others] = asksOf(operation, named, provider);
    check(control !== undefined, `${operationId} has no request`);
    // About the active product: there is a response that could show something.
    const first = await send(control.ask);
    const isServed = first.status < 400 && String(first.status) in responses;
    check(isServed, `the status of ${control.ask.path} must be a documented 2xx or 3xx, is ${first.status}`);
    const replies: (readonly [string, Reply])[] = [[`the response to ${control.ask.path}`, first]];
    for (const { ask, isPublic } of others) {
      const reply = await sendFaulty(ask);
      // Another product may be active with the GTIN of an archived one.
      const isEmpty = Array.isArray(reply.json) && reply.json.length === 0;
      const isRefused = isPublic || ofGtin || reply.status >= 300 || isEmpty;
      check(isRefused, `the status of ${ask.path} must be 3xx or 4xx, is ${reply.status}`);
      replies.push([`the response to ${ask.path}`, reply]);
    }
    return replies;
  });
}

function withIds(subjects: readonly Subject[], site: string): Promise<Subject[]> {
  return Promise.all(subjects.map(async (one) => ({ ...one, product: await withDppIds(one.product, site) })));
}

/** The requests of an operation about these products. Without a parameter that names a product, they are the same for each. */
function asksOf(operation: Operation, products: readonly Subject[], provider: Provider) {
  const different = new Map<string, { readonly ask: Ask; readonly isPublic: boolean }>();
  for (const { product, isPublic, keys } of products) {
    if (operation.path.includes('{gtin}') && typeof product.gtin !== 'string') continue;
    const values = { zugang: closedTokens(provider, product), elementIdPath: keys.map(elementPath) };
    for (const ask of variationsOf(operation, product, values)) {
      const line = JSON.stringify(ask);
      if (!different.has(line)) different.set(line, { ask: { ...ask, key: null }, isPublic });
    }
  }
  return [...different.values()];
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

interface Subject extends Hidden {
  /** Whether it has a public passport. */
  readonly isPublic: boolean;
}

const draftTexts = ['Verify value of a draft', 'Verify restricted value of a draft'] as const;

/** The active product first, then others that are active, a draft and an archived product, as far as there are any. */
function hiddenOfRun(context: Context): Promise<Subject[]> {
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
      ...[active, ...others].map((one) => one && { ...one, isPublic: true }),
      draft.status === 'draft'
        ? { ...active, product: { ...draft, tenant, api }, texts: draftTexts, keys: [], isPublic: false }
        : undefined,
      ...[archived.find(({ texts }) => texts.length > 0) ?? archived[0]].map(
        (one) => one && { ...one, isPublic: false },
      ),
    ].filter((one) => one !== undefined);
    const isOpen = (text: string): boolean => found.some(({ open }) => open.includes(text));
    return found.map((one) => ({
      ...one,
      texts: one.texts.filter((text) => !isOpen(text)),
      keys: one.keys.filter((key) => !isOpen(key)),
    }));
  });
}
