/** What a client can give a new product: the suite and the pact send each field that the contract has. */
import { readContract } from '@product-passport/openapi';
import type { CreateProduct } from '@product-passport/sdk';

type OptionalField = Exclude<keyof CreateProduct, 'name' | 'slug'>;

const body = readContract().operations.find(({ operationId }) => operationId === 'createProduct')?.body;

/** The contract's example with every field. */
export const fullProduct = body?.examples?.full?.value as Required<CreateProduct>;

const optional = Object.keys(body?.schema.properties ?? {}).filter((name) => name !== 'name' && name !== 'slug');

/** Null in each optional field but the slug, which the service makes. */
export const nullFields = Object.fromEntries(optional.map((name) => [name, null])) as Record<OptionalField, null>;
