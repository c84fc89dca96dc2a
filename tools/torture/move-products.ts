/** Activates and archives a tenant's products again and again, until it is killed: `node move-products.ts ADDRESS TENANT_ID`. */
import { openDatabase } from '../../server/src/index.ts';
import { moveProduct } from '../../server/src/lifecycle/lifecycle.ts';

const [address = '', tenantId = ''] = process.argv.slice(2);
const database = await openDatabase(address);
const now = (): Date => new Date();
for (;;) {
  const products = await database('products').where({ tenant_id: tenantId }).select('slug', 'status');
  for (const { slug, status } of products) {
    await moveProduct({ database, now }, tenantId, slug, status === 'active' ? 'archived' : 'active');
    process.stdout.write(`${slug}\n`);
  }
}
