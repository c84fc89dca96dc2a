/** A write that succeeds stores exactly the values that it sends. */
import { isRecord } from '@product-passport/openapi';
import { isEqual, shown } from '../check.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { bodyOf, jsonIn } from '../request-faults.ts';

/** The value that each key must have after the write. Keys whose value the description leaves open are left out. */
export function writtenValues(request: WireRequest, fieldKeys: readonly string[]): ReadonlyMap<string, unknown> {
  const { json, isUtf8 } = bodyOf(request);
  if (!Array.isArray(json) || !isUtf8) return new Map();
  const elements = json.filter(isRecord);
  const keys = elements.map(({ field_key }) => field_key);
  const isOnlyOne = (key: unknown): boolean => keys.filter((other) => other === key).length === 1;
  const pairs = elements.flatMap(({ field_key: key, value, is_unknown = false }): [string, unknown][] =>
    typeof key === 'string' && fieldKeys.includes(key) && isOnlyOne(key) && is_unknown === false && isStorable(value)
      ? [[key, value]]
      : [],
  );
  return new Map(pairs);
}

/** A lone surrogate has no form in UTF-8. `null` may remove the value. */
function isStorable(value: unknown): boolean {
  return value !== undefined && value !== null && !/\\u[dD][89a-fA-F]/.test(JSON.stringify(value));
}

/** @param reading the passport after the write */
export function storedFaults(written: ReadonlyMap<string, unknown>, { response, failure }: Exchange): string[] {
  if (response?.status !== 200) return [`reading the passport after the write gets ${response?.status ?? failure}`];
  const passport = jsonIn(response.text);
  const values = isRecord(passport) && Array.isArray(passport.values) ? passport.values.filter(isRecord) : [];
  return [...written].flatMap(([key, value]) => {
    const stored = values.find(({ field_key }) => field_key === key)?.value;
    return isEqual(stored, value) ? [] : [`the write stores ${shown(stored)} as ${key}, but sends ${shown(value)}`];
  });
}
