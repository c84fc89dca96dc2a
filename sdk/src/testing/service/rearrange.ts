import { isObject } from './object.ts';

/** Names that the description does not have, because it does not name the fields of `product_group` and `model`. */
const renamed: Readonly<Record<string, string>> = { product_group: 'template_key', model: 'variant' };

/**
 * A response body as another provider may send it: the members in another order, more members, without those that are
 * empty and without those that only the reference server has.
 */
export function rearrange(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(rearrange);
  if (!isObject(body)) return body;
  const members = Object.entries(body)
    .filter(([name, value]) => !isLeftOut(name, value))
    .map(([name, value]) => [renamed[name] ?? name, name === 'value' ? value : rearrange(value)])
    .reverse();
  return Object.fromEntries('id' in body ? [['revision', 1], ...members] : members);
}

function isLeftOut(name: string, value: unknown): boolean {
  if (name === 'salt') return true;
  if (name === 'unit') return value === null;
  return (name === 'is_unknown' || name === 'needs_review') && value === false;
}
