// The program under test: it gives a value to all products that a search finds, and tells which it could not write.
const { isApiError } = require('@product-passport/sdk');

exports.relabel = async function relabel(client, search, value) {
  const refused = [];
  for await (const { slug } of client.products.list({ search, limit: 200 })) {
    try {
      await client.passports.put(slug, [value]);
    } catch (error) {
      if (!isApiError(error)) throw error;
      refused.push(`${slug}: ${error.code}`);
    }
  }
  return refused;
};
