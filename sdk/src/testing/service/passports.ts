import { canonical } from '../../../../openapi/src/rules/canonical.ts';
import { isAnswered } from '../../../../openapi/src/rules/completeness.ts';
import type { Passport, PassportValue, PassportValueInput, PassportWriteResult } from '../../contract.ts';
import { type Behaviour, fieldKeys, ServiceError, type ServiceErrorCode } from './behaviour.ts';
import { jsonOf, productOf, type TenantCall } from './call.ts';
import type { StoredProduct, Version } from './records.ts';
import { fieldsOf, isAllowed, isObject, pick, resource } from './resource.ts';
import type { State } from './state.ts';

const known: ReadonlySet<unknown> = new Set(fieldKeys);

export async function getPassport(call: TenantCall): Promise<Passport> {
  const { behaviour } = call.state;
  const product = productOf(call);
  const { version } = product;
  const completeness = completenessOf(product, behaviour);
  return {
    ...resource('passport'),
    product: pick<Passport['product']>({ ...product, completeness }, resource('passport').product),
    template_version: behaviour.templateVersion,
    values: [...version.values],
    latest_version: {
      ...resource('version'),
      content_hash: await behaviour.contentHash(version, behaviour.templateVersion),
      salt: version.salt,
      created_at: behaviour.time(version.createdAt),
    },
  };
}

export async function putPassport(call: TenantCall): Promise<PassportWriteResult> {
  const { behaviour } = call.state;
  const body = await jsonOf(call);
  if (!Array.isArray(body)) throw new ServiceError('values_must_be_array');
  const product = productOf(call);
  const errors = body.map((element) => errorOf(element, behaviour));
  const error = errors.find((code) => code === 'field_key_required') ?? errors.find((code) => code !== undefined);
  const valid: PassportValueInput[] = body.filter((_element, index) => errors[index] === undefined);
  if (error !== undefined && behaviour.writesAllOrNothing) throw new ServiceError(error);
  const updated = writeValues(call.state, product, valid);
  if (error !== undefined) throw new ServiceError(error);
  return { ...resource('writeResult'), updated, completeness: completenessOf(product, behaviour) };
}

/** Updates the fields that exist, and creates the others. Returns the number of fields, as `updated` counts them. */
export function writeValues(state: State, product: StoredProduct, inputs: readonly PassportValueInput[]): number {
  const { behaviour } = state;
  const before = product.values;
  const values = new Map(before);
  for (const input of inputs) values.set(input.field_key, storedValue(state, product, input));
  const named = new Set(inputs.map(({ field_key }) => field_key));
  const changed = [...named].filter((key) => !isSame(before.get(key), values.get(key)));
  if (changed.length > 0 || behaviour.everyWriteIsAVersion) {
    product.values = values;
    product.version = nextVersion(state, product);
    product.updatedAt = product.version.createdAt;
  }
  return behaviour.countsUnchanged ? named.size : changed.length;
}

export function completenessOf({ values }: StoredProduct, behaviour: Behaviour): number {
  const answered = [...values.values()].filter(isAnswered);
  return behaviour.completeness(new Set(answered.map(({ field_key }) => field_key)));
}

/** The version of a passport without values. */
export function firstVersion(state: State): Version {
  return { number: 1, salt: saltOf(state), values: [], createdAt: state.now() };
}

function nextVersion(state: State, { version, values }: StoredProduct): Version {
  const ordered = [...values.values()];
  // In UTF-16 code units, as JavaScript compares text.
  if (state.behaviour.sortsValues) ordered.sort((a, b) => (a.field_key < b.field_key ? -1 : 1));
  return { number: version.number + 1, salt: saltOf(state), values: ordered, createdAt: state.now() };
}

function saltOf(state: State): string {
  return state.next().toString(16).padStart(32, '0');
}

function errorOf(element: unknown, behaviour: Behaviour): ServiceErrorCode | undefined {
  const values = isObject(element) ? element : {};
  const { field_key } = values;
  const isMissing = field_key === undefined || field_key === null;
  if (isMissing || (typeof field_key === 'string' && field_key.trim() === '')) return 'field_key_required';
  const isValid = isAllowed('newValue', values) && (known.has(field_key) || behaviour.acceptsAnyFieldKey);
  return isValid ? undefined : 'invalid_request';
}

function storedValue({ behaviour, now }: State, product: StoredProduct, input: PassportValueInput): PassportValue {
  const stored = product.values.get(input.field_key);
  const previous = behaviour.updateIgnoresAbsent ? stored : undefined;
  const value: PassportValue = {
    ...resource('value'),
    ...fieldsOf('newValue', input),
    unit: input.unit === undefined ? (previous?.unit ?? null) : input.unit,
    access_level: input.access_level ?? previous?.access_level ?? 'public',
    locale: behaviour.locale(product.tenant.country),
    updated_at: behaviour.time(now()),
  };
  return stored && isSame(stored, value) ? stored : value;
}

function isSame(one: PassportValue | undefined, other: PassportValue | undefined): boolean {
  return canonical({ ...one, updated_at: '' }) === canonical({ ...other, updated_at: '' });
}
