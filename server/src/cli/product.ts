import { countFields, dayOf, digitalLink, dppAddress, union } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { listCarriers } from '../carriers/store.ts';
import { choice } from '../command-line/command.ts';
import { encodeImage } from '../images/encode.ts';
import { maxAlt } from '../images/rules.ts';
import { findImage, removeImage, setImage } from '../images/store.ts';
import { checkRegistryId, createProduct, moveRegistry, registryStatuses } from '../lifecycle/lifecycle.ts';
import { authorOf, listStatusChanges } from '../lifecycle/status-changes.ts';
import { OperatorError } from '../operator-error.ts';
import { listVersions, type PastVersion } from '../passports/published-versions.ts';
import { walkProducts } from '../products/list.ts';
import { type CreateProduct, type Product, productDefaults } from '../products/store.ts';
import { aboutOf, kindOf, templateKeys } from '../templates/catalogue.ts';
import { findPageSettings, type Tenant } from '../tenants/store.ts';
import {
  argument,
  command,
  confirmations,
  dayOption,
  flag,
  type Noun,
  option,
  requiredOption,
  settingOption,
  slug,
  text,
  withoutQuestion,
} from './command.ts';
import { siteOf, siteUrl, tenantOption } from './database.ts';
import { contractBody, inContract } from './files.ts';
import { moveCommand, warnOfCheckDigit } from './move.ts';
import { counted, facts, section } from './output.ts';
import { findingTables, missingTable, reviewOf } from './review.ts';

export const commands: Noun = {
  name: 'product',
  description: 'create, list, show, activate and archive the products of a tenant, and set their images',
  commands: [
    command({
      name: 'create',
      about: 'tenant',
      changes: true,
      summary: 'create a product, a draft with an empty passport',
      description:
        'create a draft with an empty passport. You cannot change what you give here later: the slug is part of public addresses.',
      example:
        "product create usb-c-cable --tenant my-shop --name 'USB-C Cable' --product-group cable --gtin 9520001200045",
      arguments: [argument('<product>', 'slug of the product', slug)],
      options: {
        name: requiredOption('--name <name>', 'name of the product'),
        productGroup: option(
          '--product-group <group>',
          'template that the passport follows, from `template list` (default: other)',
          choice(templateKeys),
        ),
        gtin: option('--gtin <gtin>', 'GTIN of 8, 12, 13 or 14 digits; the data carrier needs it'),
        model: option('--model <model>', 'model or variant'),
        urnNamespace: settingOption('urnNamespace'),
      },
      async prepare({ name, productGroup: product_group, gtin, model }, slug) {
        const { ofValue } = await contractBody('createProduct');
        const given = { slug, name, product_group, gtin, model };
        return inContract('the product is not valid', () => ofValue(given) as Promise<CreateProduct>);
      },
      async run({ database, tenant, options, prepared: body, hint }, slug) {
        const services = { database, urnNamespace: options.urnNamespace, now: () => new Date() };
        const made = await createProduct(services, tenant, body);
        if (made.slug === slug) return made;
        // The API appends a suffix. Here a person chose the slug.
        const show = hint(`product show ${slug}${tenantOption(options)}`);
        throw new OperatorError(`the tenant ${tenant.slug} already has a product ${slug}. Show it with ${show}.`);
      },
      warn: ({ gtin }) => warnOfCheckDigit(gtin),
      text: ({ slug }, { options, hint }) =>
        `Created the draft ${slug}. List its required fields with ${hint(`product show ${slug}${tenantOption(options)}`)}, ` +
        'and write them with `passport set`.',
    }),
    command({
      name: 'list',
      about: 'tenant',
      description: 'list the products, oldest first',
      example: 'product list --tenant my-shop --status draft',
      options: {
        status: option('--status <status>', 'list only products with this status', ['draft', 'active', 'archived']),
      },
      run: ({ database, tenant, options }) => walkProducts(database, tenant.id, options),
      table: {
        header: ['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'],
        row: (item) => [item.slug, item.status, `${item.completeness} %`, item.gtin ?? '-', item.name],
        empty: ({ tenant, options: { status } }) =>
          `The tenant ${tenant.slug} has no ${status === undefined ? '' : `${status} `}products.`,
      },
    }),
    command({
      name: 'show',
      about: '<product>',
      description:
        'show a product: status, missing required fields, values that do not fit the template, data carriers, versions and public address',
      example: 'product show usb-c-cable --tenant my-shop --site-url https://passport.example.com',
      options: { siteUrl, on: dayOption },
      run: ({ database, tenant, product, options }) => readShown(database, tenant, product, options),
      json: ({ shown }) => shown,
      text: shownLines,
    }),
    moveCommand('activate', 'active', {
      description:
        'make passports public; of more than twenty products it prints only the failures and the number. It lists what is ' +
        'missing in a passport and what does not fit its template, and asks on a terminal whether to go on. A value that is more ' +
        'open than its template is not published unless you confirm it with --open.',
      example: 'product activate --all-complete --tenant my-shop --dry-run',
      options: {
        allComplete: flag(
          '--all-complete',
          'activate every draft that has a value for each required field, today or on the day of --on, and whose values fit its template',
        ),
        on: dayOption,
        yes: withoutQuestion('activate'),
        ...confirmations,
        shareGtin: flag(
          '--share-gtin',
          "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
        ),
      },
    }),
    moveCommand('archive', 'archived', {
      description:
        'remove passports from the public site; of more than twenty products it prints only the failures and the number. Keep ' +
        'sold products active: their passports must stay readable.',
      example: 'product archive usb-c-cable --tenant my-shop',
      options: {},
    }),
    {
      name: 'image',
      description: "set and remove the images of products' pages",
      commands: [
        command({
          name: 'set',
          about: '<product>',
          changes: true,
          summary: 'show an image on the page of a product',
          description:
            'show an image on the page of a product, in place of an earlier one. The picture is turned upright, made smaller, ' +
            'and stored in the database as a new WebP file without the metadata of the old one, such as the place where a ' +
            'photo was taken. The command needs the package sharp.',
          example: "product image set usb-c-cable cable.jpg --tenant my-shop --alt 'Rolled up black cable'",
          arguments: [argument('<file>', 'PNG, JPEG or WebP file of at most 5 MB and 20 megapixels')],
          options: {
            alt: option(
              '--alt <text>',
              "what the image shows, in the language of the tenant's passports, for readers who do not see it (default: the name of the product)",
              text(maxAlt),
            ),
          },
          prepare: (_options, _product, file) => encodeImage(file),
          async run({ database, tenant, product, options, prepared }) {
            const image = { ...prepared, alt: options.alt ?? null };
            const of = { tenantId: tenant.id, productId: product.id };
            return { ...(await setImage(database, of, image, new Date())), bytes: prepared.bytes.length };
          },
          json: (image, { product }) => ({ product: product.slug, image }),
          text: ({ width, height, bytes }, { product: { slug } }) =>
            `Set the image of ${slug}: ${width} × ${height} pixels, ${Math.ceil(bytes / 1000)} kB.`,
        }),
        command({
          name: 'remove',
          about: '<product>',
          changes: true,
          description: 'remove the image from the page of a product',
          example: 'product image remove usb-c-cable --tenant my-shop',
          async run({ database, tenant, product: { id, slug } }) {
            if (await removeImage(database, tenant.id, id)) return { product: slug, image: null };
            throw new OperatorError(`the product ${slug} has no image.`);
          },
          text: ({ product }) => `The page of ${product} has no image any more.`,
        }),
      ],
    },
  ],
};

/** Versions and changes of the status that are shown. */
const [maxVersions, maxChanges] = [20, 20];

async function readShown(
  database: Knex,
  tenant: Tenant,
  product: Product,
  options: { siteUrl: string | undefined; on: string | undefined },
) {
  const siteUrl = await siteOf(database, options);
  const review = await reviewOf(database, tenant, product, options.on);
  const { economic_operator_id } = await findPageSettings(database, tenant.id);
  const path = { tenant: tenant.slug, product: product.slug };
  const isRead = product.status === 'active' && economic_operator_id !== null;
  const { on, template, required, missing, rules, exempt, findings, own, values_in_use, confirmed } = review;
  const shown = {
    product,
    /** The address of the page without scheme and host if the site is not known; `null` if the product is not public. */
    public_url: product.status === 'active' ? `${siteUrl ?? ''}/p/${tenant.slug}/${product.slug}` : null,
    /** `null` if the product is not public, its tenant has no economic operator, or the site is not known. */
    eu_read_url: isRead && siteUrl !== undefined ? dppAddress(path, siteUrl) : null,
    /** `null` if the product has no GTIN, or the site is not known. */
    gs1_digital_link: product.gtin === null || siteUrl === undefined ? null : digitalLink(siteUrl, product.gtin),
    image: (await findImage(database, tenant.id, product.id)) ?? null,
    /** The day of the next members. The product's `completeness` is that of the day of its latest version. */
    on,
    required_fields: required.length,
    missing_fields: missing.map((field) => {
      const { key, label, type, unit } = field;
      const points = rules.get(key)?.points ?? [];
      /** The mandatory data points that it leaves open. */
      const data_points = points.map(({ number, source }) => ({ number, source }));
      return { key, label: label.en, type, unit, kind: kindOf(field), data_points };
    }),
    /** The values name a category that needs no passport. */
    needs_no_passport: exempt !== undefined,
    /** The official list of the data points; `null`: the template has none. */
    data_points: template.data_points ? aboutOf(template.data_points) : null,
    /** The levels that are too open come first. */
    findings,
    /** The fields that the template does not have. */
    own_fields: own,
    /** Only one active product may have them. Another one has, too. */
    values_in_use,
    /** The fields that commands confirmed with `--open` and `--own`. */
    confirmed: union(confirmed, {}),
    carriers: await listCarriers(database, tenant.id, product.id),
    status_changes: await listStatusChanges(database, tenant.id, product.id, maxChanges),
    versions: await listVersions(database, tenant.id, product.id, maxVersions),
  };
  return { shown, review, economic_operator_id };
}
type Shown = Awaited<ReturnType<typeof readShown>>;

/** What a client can give a product, without the fields that `shownLines` shows on lines of their own. */
const otherFields = (Object.keys(productDefaults) as (keyof typeof productDefaults)[]).filter(
  (field) => field !== 'gtin' && field !== 'product_group',
);

function shownLines({ shown, review, economic_operator_id }: Shown): string[] {
  const { product, image, required_fields: required, missing_fields: missing } = shown;
  const versionedOn = dayOf(shown.versions[0]?.created_at ?? product.created_at);
  // "tbd" in every field is complete.
  const blocked = countFields(review.blocking);
  const misfits =
    blocked === 0 ? '' : `; ${counted(blocked, 'value')} ${blocked === 1 ? 'does' : 'do'} not fit the template`;
  const registration = product.registry_id === null ? '' : ` (${product.registry_id})`;
  const lines: [string, string][] = [
    ['Product', `${product.slug}  ${product.name}`],
    ['Status', statusOf(shown)],
    ['Public page', pageOf(shown)],
    ['EU read', readOf(shown, economic_operator_id)],
    ['Digital Link', shown.gs1_digital_link ?? (product.gtin === null ? 'none: no GTIN' : 'add --site-url to see it')],
    ['GTIN', product.gtin ?? 'none'],
    ['Group', product.product_group ?? 'none: the template of the group other applies'],
    ['Fields', otherFields.map((field) => `${field}: ${product[field] ?? 'none'}`).join(', ')],
    ['Registry', `${product.registry_status}${registration}`],
    ['Complete', `${product.completeness} % on ${versionedOn}, the day of the latest version${misfits}`],
    ['Answered', `${required - missing.length} of ${required} required fields on ${shown.on}`],
    ...confirmedLines(shown.confirmed),
    ['Image', image ? `${image.width} × ${image.height} pixels, ${image.alt ?? 'described by the name'}` : 'none'],
    ['Versions', versionsOf(shown.versions)],
  ];
  const carriers = shown.carriers.map(({ id, type, status, created_at }) => [id, type, status, created_at]);
  return [
    ...facts(lines),
    ...missingTable(review),
    ...findingTables(review),
    ...section(['ID', 'TYPE', 'STATUS', 'CREATED'], carriers, 'Data carriers'),
  ];
}

function confirmedLines({ open, own }: ReturnType<typeof union>): [string, string][] {
  const words = [...open.map((field) => `--open ${field}`), ...own.map((field) => `--own ${field}`)];
  return words.length === 0 ? [] : [['Confirmed', words.join(' ')]];
}

function pageOf({ product: { status }, public_url }: Shown['shown']): string {
  if (public_url === null) return `none: the product is ${status === 'draft' ? 'a draft' : status}`;
  return public_url.startsWith('/') ? `${public_url} (add --site-url to see the whole address)` : public_url;
}

function readOf({ eu_read_url, product }: Shown['shown'], operator: string | null): string {
  if (operator === null) return 'none: the tenant has no economic operator. Set it with tenant operator';
  if (product.status !== 'active') return 'none: the product is not public';
  return eu_read_url ?? 'add --site-url to see it';
}

function statusOf({ product: { status }, status_changes: [last] }: Shown['shown']): string {
  return last === undefined ? status : `${status} since ${last.changed_at}, by ${authorOf(last)}`;
}

function versionsOf([latest]: PastVersion[]): string {
  return latest === undefined ? 'none' : `${latest.version}, the latest from ${latest.created_at}`;
}

export const registryCommands: Noun = {
  name: 'registry',
  description: 'record the status of products with the product registry; nothing is sent to the registry',
  commands: [
    command({
      name: 'list',
      about: 'tenant',
      description: 'list the products with their registry status, oldest first',
      example: 'registry list --tenant my-shop --status ready',
      options: {
        status: option('--status <status>', 'list only products with this registry status', registryStatuses),
      },
      run: ({ database, tenant, options }) => walkProducts(database, tenant.id, { registry_status: options.status }),
      table: {
        header: ['SLUG', 'REGISTRY', 'STATUS', 'COMPLETE', 'NAME'],
        row: (item) => [item.slug, item.registry_status, item.status, `${item.completeness} %`, item.name],
        empty: ({ tenant, options: { status } }) =>
          `The tenant ${tenant.slug} has no ${status === undefined ? 'products' : `products with the registry status ${status}`}.`,
      },
    }),
    command({
      name: 'set',
      about: '<product>',
      changes: true,
      summary: "set a product's registry status",
      description:
        "set a product's registry status: none to ready, ready to submitted, submitted to registered or rejected, " +
        'rejected to ready, registered to deactivated',
      example: 'registry set usb-c-cable ready --tenant my-shop',
      arguments: [argument('<status>', 'new registry status', registryStatuses)],
      options: {
        registryId: option(
          '--registry-id <id>',
          'identifier that the registry gave; needed for registered',
          text(1000),
        ),
      },
      prepare: ({ registryId }, _product, status) => checkRegistryId(status, registryId),
      run: ({ database, tenant, product, options }, status) =>
        moveRegistry(database, tenant.id, product, { status, registryId: options.registryId, now: new Date() }),
      text: ({ slug }, _context, status) => `The registry status of ${slug} is now ${status}.`,
    }),
  ],
};
