/** What a request got or did whose caller has no right to it. */
import { isRecord } from '@product-passport/openapi';
import { decoded } from '../judge/operation-at.ts';
import { type Ask, productIn, type Reply } from './api.ts';
import type { Exposure } from './exposure.ts';

interface Intrusion {
  /** The same request of the owner, and its response. */
  readonly good: Ask;
  readonly control: Reply;
  /** The request that must be refused, and its response. */
  readonly wrong: Ask;
  readonly reply: Reply;
  /** What the two requests send as `Authorization`. */
  readonly callers: readonly [owner: string, other: string];
  /** The keys of all tenants. */
  readonly keys: readonly string[];
  readonly send: (purpose: 'valid' | 'faulty', ask: Ask) => Promise<Reply>;
  /** A text that no earlier request had. */
  readonly mark: string;
}

/**
 * What a request without the owner's key got or did: the response has data of the control, or a read with the owner's key
 * shows what the request wrote.
 */
export async function exposureOf(intrusion: Intrusion): Promise<Exposure | undefined> {
  const { wrong, keys, reply, control } = intrusion;
  const [owner, other] = intrusion.callers;
  if (owner === other) return undefined;
  const isTenant = keys.some((key) => other === `Bearer ${key}`);
  if (sharesData(reply, control, wrong)) {
    if (isTenant) return 'data of another tenant';
    const place = /^bearer /i.test(other) ? '' : other;
    const isMisplaced = `${place} ${JSON.stringify(wrong.query)}`.includes(owner.replace('Bearer ', ''));
    return isMisplaced ? 'data with a misplaced key' : 'data without a key';
  }
  if (reply.status >= 300 || !(await hasWritten(intrusion))) return undefined;
  return isTenant ? 'change of another tenant' : 'change without a key';
}

/** Whether the response has a text that only the control has: an id, a name, a time. */
function sharesData(reply: Reply, control: Reply, request: Ask): boolean {
  const sent = `${decoded(request.path)} ${JSON.stringify(request.json)}`;
  const own = new Set(ownTexts(control.json));
  return ownTexts(reply.json).some((text) => own.has(text) && !sent.includes(text));
}

/** Ids, and texts that are neither a date nor a word of an enumeration. */
function ownTexts(json: unknown, name = ''): string[] {
  if (typeof json === 'object' && json !== null) {
    return Object.entries(json).flatMap(([member, value]) => ownTexts(value, Array.isArray(json) ? name : member));
  }
  if (typeof json !== 'string') return [];
  const isOwn = /^(?:id|slug)$/.test(name) || (json.length >= 8 && /[^a-z_]/.test(json));
  return isOwn && !/^\d{4}-\d\d-\d\d$/.test(json) ? [json] : [];
}

/** A write is sent once more, with another text, because the control wrote the same. */
async function hasWritten({ good, wrong, reply, send, mark }: Intrusion): Promise<boolean> {
  const { method, path, key, json } = good;
  const ofOwner = key === undefined ? {} : { key };
  const created = method === 'POST' ? productIn(reply) : undefined;
  if (created !== undefined) {
    const read = await send('valid', { path: `${path}/${encodeURIComponent(created.slug)}`, ...ofOwner });
    return productIn(read)?.id === created.id;
  }
  if (method !== 'PUT' || !Array.isArray(json)) return false;
  const marked = json.map((value) => (isRecord(value) ? { ...value, value: mark } : value));
  await send('faulty', { ...wrong, json: marked });
  return (await send('valid', { path, ...ofOwner })).text.includes(mark);
}
