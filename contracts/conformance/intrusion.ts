/** What a request got or did whose caller has no right to it. */
import { isRecord, member, readContract } from '@product-passport/openapi';
import { decoded, operationAt } from '../judge/operation-at.ts';
import { type Ask, productIn, type Reply } from './api.ts';
import type { Exposure } from './exposure.ts';
import { type Exchange, jsonIn } from './http/exchange.ts';

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
  /** Sends a request that is not recorded. */
  readonly ask: (ask: Ask) => Promise<Exchange>;
  /** A text that no earlier request had. */
  readonly mark: string;
}

/**
 * What a request without the owner's key got or did: the response has data of the control, or a read with the owner's key
 * shows what the request wrote.
 */
export async function exposureOf(intrusion: Intrusion): Promise<Exposure | undefined> {
  const { wrong, keys, reply } = intrusion;
  const [owner, other] = intrusion.callers;
  if (owner === other) return undefined;
  const isTenant = keys.some((key) => other === `Bearer ${key}`);
  if (await sharesData(intrusion)) {
    if (isTenant) return 'data of another tenant';
    const place = /^bearer /i.test(other) ? '' : other;
    const isMisplaced = `${place} ${JSON.stringify(wrong.query)}`.includes(owner.replace('Bearer ', ''));
    return isMisplaced ? 'data with a misplaced key' : 'data without a key';
  }
  if (reply.status >= 300 || !(await hasWritten(intrusion))) return undefined;
  return isTenant ? 'change of another tenant' : 'change without a key';
}

/**
 * Whether the response has a text that only the control has: an id, a name, a time. A text of an undocumented member is no data
 * of a tenant, and neither is one that the same caller gets at an unknown path.
 */
async function sharesData({ good, control, wrong, reply, ask, mark }: Intrusion): Promise<boolean> {
  const sent = `${decoded(wrong.path)} ${JSON.stringify(wrong.json)}`;
  const names = documentedIn(good);
  const own = new Set(ownTexts(control.json, (name) => names.has(name)));
  const shared = ownTexts(reply.json).filter((text) => own.has(text) && !sent.includes(text));
  if (shared.length === 0) return false;
  const { response } = await ask({ ...wrong, path: `/api/v1/${encodeURIComponent(mark)}` });
  const usual = new Set(ownTexts(jsonIn(response?.text ?? '')));
  return shared.some((text) => !usual.has(text));
}

/** The names of all members that the contract documents in a success. */
function documentedIn({ method = 'GET', path }: Ask): ReadonlySet<string> {
  const { responses = {} } = operationAt(readContract().operations, method, path) ?? {};
  return new Set(Object.entries(responses).flatMap(([status, response]) => (status < '300' ? namesIn(response) : [])));
}

function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return [...Object.keys(Object(member(node, 'properties'))), ...Object.values(node).flatMap(namesIn)];
}

/** Ids, and texts that are neither a date nor a word of an enumeration, of the members that count. Default: all. */
function ownTexts(json: unknown, counts = (_name: string): boolean => true, name = ''): string[] {
  if (Array.isArray(json)) return json.flatMap((value) => ownTexts(value, counts, name));
  if (typeof json === 'object' && json !== null) {
    return Object.entries(json).flatMap(([key, value]) => (counts(key) ? ownTexts(value, counts, key) : []));
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
