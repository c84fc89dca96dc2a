/**
 * The wrong providers of API keys, tenants, leaks and tokens whose responses show nothing that their callers may not have, and
 * that store nothing. Their findings have no words of security. Those that are not here have such a finding, and it is the first.
 */

const byReason: Readonly<Record<string, readonly string[]>> = {
  'A refusal has another status, code, header or text.': [
    'missing-key-403',
    'missing-key-login-page',
    'own-code-for-missing-key',
    'blank-token-500',
    'revoked-key-told-apart',
    'unknown-key-404',
    'no-challenge',
    'revoked-key-other-message',
    'unknown-method-501',
    'key-checked-last',
    'wrong-key-403',
    'errors-with-200',
    'foreign-product-403',
    'foreign-product-other-message',
    'foreign-product-other-header',
    'foreign-product-in-cache',
    'foreign-status-other-message',
  ],
  'The key that works may not change the status, and gets 403.': ['status-without-key', 'revoked-key-publishes'],
  'Somebody is refused who may read or write.': [
    'page-needs-key',
    'document-refuses-wrong-key',
    'resolver-needs-key',
    'scheme-case-sensitive',
    'gtin-unique-in-all-tenants',
    'page-not-modified',
    'unknown-fields-refused',
    'token-opens-nothing',
    'inspector-token-opens-nothing',
    'token-opens-page-only',
    'inspector-as-recycler',
  ],
  'The caller sends the key of the tenant, which reads every value.': ['key-opens-page'],
  'Only the way to the public page changes.': ['key-changes-redirect-status', 'key-changes-redirect-target'],
  'The list is empty: a draft has no data carrier.': ['no-carriers-instead-of-404', 'reads-foreign-carriers'],
  'A number is too large, and names nothing of the other tenant.': [
    'total-of-all-tenants',
    'products-total-of-all-tenants',
    'scans-of-all-tenants',
  ],
  'A tenant gets its own data, with a mistake.': [
    'slug-unique-in-all-tenants',
    'listed-identifier-without-tenant',
    'tenants-with-one-id',
    'repeated-gtin-dropped',
    'gtin-as-id',
    'slug-as-name',
    'id-of-body-used',
  ],
  'Nothing runs that somebody wrote into a value.': [
    'no-content-security-policy',
    'script-on-page',
    'event-handler-on-page',
    'inline-scripts-allowed',
  ],
};

export const exposingNothing: ReadonlySet<string> = new Set(Object.values(byReason).flat());

/** The families whose wrong providers the table is about. */
export const mayExpose = /^(?:AUTH|TEN|LEAK|PUB-[234])/;
