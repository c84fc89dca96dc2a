import { InvalidArgumentError, Option } from 'commander';

export function urnNamespaceOption(): Option {
  return new Option('--urn-namespace <name>', 'namespace in the URNs of new products')
    .default('dpp')
    .env('PRODUCT_PASSPORT_URN_NAMESPACE')
    .argParser(urnNamespace);
}

function urnNamespace(text: string): string {
  // RFC 8141, section 2: a namespace identifier.
  if (!/^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$/.test(text)) {
    throw new InvalidArgumentError(
      'Use 2 to 32 characters: a to z, 0 to 9 and hyphens, but no hyphen at the start or end.',
    );
  }
  return text;
}
