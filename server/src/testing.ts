/**
 * `@product-passport/server/testing`: what brings the server's own database into a state from within the process, for
 * provider verifications and tests. Not part of the API: it may change with any version.
 */
export { revokeToken } from './access/store.ts';
export { createToken } from './access/token.ts';
export { insertCarrier } from './carriers/store.ts';
export { secret } from './database/secrets.ts';
export { createLog } from './log/log.ts';
export { writePassport } from './passports/write.ts';
export { createProduct } from './products/create.ts';
export { moveProduct } from './products/lifecycle.ts';
export { lockProduct, type Product, updateProduct } from './products/store.ts';
export { visitorHash } from './scans/rules.ts';
export { insertScans } from './scans/store.ts';
export { createKey, revokeKey } from './tenants/keys.ts';
export { insertTenant, type Tenant } from './tenants/store.ts';
