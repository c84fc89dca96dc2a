import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { byteLength, formsOf, maxValues, mergeValues, sizeProblem } from '../../../../openapi/src/rules/passport.ts';
import { timeOfChange } from '../../../../openapi/src/rules/product.ts';
import type { Passport, PassportValueInput, PassportWriteResult } from '../../contract.ts';
import type { Version } from './behaviour.ts';
import { productOf, type TenantCall } from './call.ts';
import { pick, resource } from './resource.ts';
import { latest, type State, type StoredProduct } from './state.ts';

export async function getPassport(call: TenantCall): Promise<Passport> {
  const { behaviour } = call.state;
  const product = productOf(call);
  const version = latest(product);
  const form = resource('value');
  const completeness = completenessOf(product, call.state);
  return {
    ...resource('passport'),
    product: pick<Passport['product']>({ ...product, completeness }, resource('passport').product),
    template_version: behaviour.templateVersion(product.product_group),
    values: behaviour.ordered(version.values).map((value) => pick(value, form)),
    latest_version: {
      ...resource('version'),
      content_hash: await behaviour.contentHash(version, behaviour.templateVersion(product.product_group)),
      salt: version.salt,
      created_at: behaviour.time(version.createdAt),
    },
  };
}

export async function putPassport(call: TenantCall): Promise<PassportWriteResult> {
  const { behaviour } = call.state;
  const product = productOf(call);
  const inputs = call.body as PassportValueInput[];
  const wrong = inputs.filter(({ field_key }) => !behaviour.acceptsFieldKey(field_key));
  // Only the alternative behaviour refuses keys. It stores the other fields first.
  const updated = writeValues(
    call.state,
    product,
    inputs.filter((input) => !wrong.includes(input)),
  );
  if (wrong.length > 0) throw new ContractError('invalid_request');
  return { ...resource('writeResult'), updated, completeness: completenessOf(product, call.state) };
}

/** Updates the fields that exist, and creates the others. Returns the number of fields, as `updated` counts them. */
export function writeValues(state: State, product: StoredProduct, inputs: readonly PassportValueInput[]): number {
  const { behaviour, now } = state;
  const before = latest(product);
  const complete = behaviour.updateIgnoresAbsent
    ? inputs
    : inputs.map((input) => ({ ...input, unit: input.unit ?? null, access_level: input.access_level ?? 'public' }));
  const at = new Date(timeOfChange(now(), product.updatedAt.toISOString()));
  const locale = behaviour.locale(product.tenant.language);
  const { values, changed, named } = mergeValues(before.values, [...complete], locale, behaviour.time(at));
  if (values.length > maxValues) {
    throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
  }
  const problem = sizeProblem(byteLength(formsOf(values), (text) => new TextEncoder().encode(text).length));
  if (problem) throw new ContractError('invalid_request', problem);
  if (changed.length > 0 || (behaviour.everyWriteIsAVersion && inputs.length > 0)) {
    before.wasPublic = product.status === 'active';
    // With the fields of a later contract, which the merge does not know.
    const sent = new Map(complete.map((input) => [input.field_key, input]));
    const written = values.map((value) =>
      changed.includes(value) ? { ...sent.get(value.field_key), ...value } : value,
    );
    product.versions.push(newVersion(state, before.number + 1, written, at));
    product.updatedAt = at;
  }
  return behaviour.countsUnchanged ? named : changed.length;
}

export function completenessOf(product: StoredProduct, { behaviour }: State): number {
  return behaviour.completeness(product.product_group, latest(product));
}

export function newVersion(state: State, number: number, values: Version['values'], createdAt: Date): Version {
  const salt = state.next().toString(16).padStart(32, '0');
  return { number, salt, values, createdAt, wasPublic: false };
}
