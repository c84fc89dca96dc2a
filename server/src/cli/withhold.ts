import { withholdVersion } from '../passports/published-versions.ts';
import { argument, command, type Noun, withoutQuestion } from './command.ts';
import { wholeNumber } from './options.ts';
import { confirm } from './output.ts';

export const commands: Noun = {
  name: 'version',
  description: "manage the public history of a passport's versions",
  commands: [
    command({
      name: 'withhold',
      about: '<product>',
      changes: true,
      description: 'hide an older version forever: the page no longer lists it, and its document is not found',
      example: 'version withhold usb-c-kabel 1 --yes --tenant my-shop',
      arguments: [argument('<number>', 'number of the version', wholeNumber(999_999_999, 1))],
      options: { yes: withoutQuestion('withhold') },
      prepare: (options, product, version) =>
        confirm(`Version ${version} of ${product} would no longer be public.`, options),
      run: ({ database, tenant, product }, version) => withholdVersion(database, tenant.id, product, version),
      json: (withheld, { product }) => ({ product: product.slug, withheld_versions: withheld }),
      text: (withheld, { product }, version) =>
        `Version ${version} of ${product.slug} is no longer public. Withheld versions: ${withheld.join(', ')}.`,
    }),
  ],
};
