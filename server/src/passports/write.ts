import { setImmediate } from 'node:timers/promises';
import { ContractError } from '../contract/errors.ts';
import type { components } from '../contract/generated/openapi.ts';
import { timeOfChange } from '../products/rules.ts';
import { lockProduct, updateProduct } from '../products/store.ts';
import type { Services } from '../services.ts';
import { templateOf } from '../templates/catalogue.ts';
import { defaultLocale } from '../tenants/rules.ts';
import type { Tenant } from '../tenants/store.ts';
import { completeness, maxValues, mergeValues, type PassportValueInput, sizeProblem } from './rules.ts';
import { insertVersion, latestVersion, listValues, upsertValues } from './store.ts';
import { newVersion } from './version.ts';

/**
 * Writes values to a passport: all of them or none, as one version. If nothing changes, no version is made.
 *
 * @param services `newSalt` makes the salt of the version; default: random
 * @throws ContractError `not_found`; `invalid_request` if the passport would have too many values or bytes
 */
export async function writePassport(
  { database, now, newSalt }: Pick<Services, 'database' | 'now'> & { newSalt?: () => string },
  tenant: Tenant,
  slug: string,
  inputs: PassportValueInput[],
): Promise<components['schemas']['PassportWriteResult']> {
  return database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenant.id, slug);
    if (!product) throw new ContractError('not_found');
    if (inputs.length === 0) return { updated: 0, completeness: product.completeness };

    const time = now();
    const updated_at = timeOfChange(time, product.updated_at);
    const stored = await listValues(transaction, tenant.id, product.id);
    // With 5,000 values each of these steps takes up to 20 ms. Other requests get their turn in between.
    await setImmediate();
    const { values, changed, named } = mergeValues(stored, inputs, defaultLocale(tenant.country), updated_at);
    if (values.length > maxValues) {
      throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
    }

    if (changed.length === 0) return { updated: named, completeness: product.completeness };
    await setImmediate();
    const problem = sizeProblem(stored, values);
    if (problem) throw new ContractError('invalid_request', problem);

    await setImmediate();
    const template = templateOf(product.product_group);
    const before = await latestVersion(transaction, tenant.id, product.id);
    const version = newVersion(
      { version: before.version + 1, template_version: template.version, created_at: updated_at, values },
      newSalt,
    );
    await upsertValues(transaction, tenant.id, product.id, changed);
    await insertVersion(transaction, tenant.id, product.id, version);
    const answered = completeness(template, values);
    await updateProduct(transaction, tenant.id, product, { completeness: answered }, time);
    return { updated: named, completeness: answered };
  });
}
