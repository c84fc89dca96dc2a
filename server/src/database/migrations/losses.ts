/** What the rollback of a migration loses. The next `migrate up` does not bring it back, unless the text says so. */
const losses: Record<string, string> = {
  '0002_access_tokens': 'all access tokens',
  '0003_scans_by_time': 'nothing',
  '0004_version_salts': 'the salts of all versions: their content hashes cannot be checked any more',
  '0005_salted_versions': 'nothing',
  '0006_token_secrets': 'the secrets of access tokens that were rotated: tokens of newer secrets stop working',
  '0007_slug_counters': 'nothing: creating a product whose name is taken becomes slower',
  '0008_product_positions': 'the order of products in lists (the next `migrate up` sorts them by id)',
  '0009_filled_positions': 'nothing',
  '0010_public_hash': 'the hashes of public values (the next `migrate up` computes them)',
  '0011_public_hashes': 'nothing',
  '0012_scan_days': 'nothing: the sums of scans are computed by the next `migrate up`',
  '0013_key_use_and_audit': 'the audit trail, and when each API key was last used',
  '0014_rate_windows': 'nothing: each tenant’s limit of requests begins a new minute',
  '0015_imports': 'which imports are unfinished: finish or discard them first (`tenant list` shows `importing:…`)',
  '0016_version_history': 'the public history of versions: it begins again with the next write',
  '0017_images': 'the images of products, and the colours of tenants',
  '0018_public_lists': 'which tenants opened the public list of their passports',
  '0019_scan_totals': 'nothing: the sums of scans are computed by the next `migrate up`',
};

export function lossOf(name: string): string {
  return losses[name] ?? 'everything that is stored in the tables and columns that it added';
}
