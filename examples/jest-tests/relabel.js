// The program under test: writes a value to all products that match a search, and returns the failed writes.
const { isApiError } = require('@product-passport/sdk');

exports.relabel = async function relabel(client, search, value) {
  const failed = [];
  for await (const { slug } of client.products.list({ search })) {
    try {
      await client.passports.put(slug, [value]);
    } catch (error) {
      if (!isApiError(error)) throw error;
      failed.push(`${slug}: ${error.code}`);
    }
  }
  return failed;
};
