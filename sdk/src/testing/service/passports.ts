import { completeness } from '../../../../openapi/src/rules/completeness.ts';
import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import {
  byteLength,
  dayOf,
  formsOf,
  hashedContent,
  maxValues,
  mergeValues,
  sha256,
  sizeProblem,
  timeOfChange,
} from '../../../../openapi/src/rules/passport.ts';
import type { Template } from '../../check.ts';
import type { Passport, PassportValueInput, PassportWriteResult } from '../../contract.ts';
import { templates } from '../../generated/templates.ts';
import { productOf, type TenantCall } from './call.ts';
import { pick, resource } from './response.ts';
import { latest, type State, type StoredProduct, type Version } from './state.ts';

export async function getPassport(call: TenantCall): Promise<Passport> {
  const product = productOf(call);
  const version = latest(product);
  const form = resource('value');
  return {
    ...resource('passport'),
    product: pick<Passport['product']>(product, resource('passport').product),
    template_version: templateOf(product).version,
    values: version.values.map((value) => pick(value, form)),
    latest_version: {
      ...resource('version'),
      content_hash: await contentHash(product, version),
      salt: version.salt,
      created_at: version.created_at,
    },
  };
}

export async function putPassport(call: TenantCall): Promise<PassportWriteResult> {
  const product = productOf(call);
  const updated = writeValues(call.state, product, call.body as PassportValueInput[]);
  return { ...resource('writeResult'), updated, completeness: product.completeness };
}

/** Updates the fields that exist, and creates the others. Returns the number of fields. */
export function writeValues(state: State, product: StoredProduct, inputs: readonly PassportValueInput[]): number {
  const before = latest(product);
  const at = timeOfChange(state.now(), product.updated_at);
  const { language } = product.tenant;
  const { values, changed, named } = mergeValues(before.values, [...inputs], language, at);
  if (values.length > maxValues) {
    throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
  }
  const problem = sizeProblem(byteLength(formsOf(values), (text) => new TextEncoder().encode(text).length));
  if (problem) throw new ContractError('invalid_request', problem);
  if (changed.length > 0) {
    before.wasPublic = product.status === 'active';
    // With the fields of a later contract, which the merge does not know.
    const sent = new Map(inputs.map((input) => [input.field_key, input]));
    const written = values.map((value) =>
      changed.includes(value) ? { ...sent.get(value.field_key), ...value } : value,
    );
    product.versions.push(newVersion(state, before.number + 1, written, at));
    product.updated_at = at;
    product.completeness = completenessOf(product);
  }
  return named;
}

export function completenessOf(product: StoredProduct, { values, created_at } = latest(product)): number {
  return completeness(templateOf(product), values, dayOf(new Date(created_at)));
}

export function templateOf({ product_group }: Pick<StoredProduct, 'product_group'>): Template {
  return templates[(product_group ?? 'other') as keyof typeof templates] ?? templates.other;
}

export function contentHash(product: StoredProduct, { salt, values }: Version): Promise<string> {
  return sha256(hashedContent(salt, templateOf(product).version, formsOf(values)));
}

export function newVersion(state: State, number: number, values: Version['values'], created_at: string): Version {
  const salt = state.next().toString(16).padStart(32, '0');
  return { number, salt, values, created_at, wasPublic: false };
}
