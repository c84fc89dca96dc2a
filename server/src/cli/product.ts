import { choice } from '../command-line/command.ts';
import { encodeImage } from '../images/encode.ts';
import { maxAlt } from '../images/rules.ts';
import { removeImage, setImage } from '../images/store.ts';
import { createProduct } from '../lifecycle/lifecycle.ts';
import { OperatorError } from '../operator-error.ts';
import { walkProducts } from '../products/list.ts';
import type { CreateProduct } from '../products/store.ts';
import { templateKeys } from '../templates/catalogue.ts';
import { argument, command, flag, type Noun, option, requiredOption, withoutQuestion } from './command.ts';
import { siteUrl, tenantOption } from './database.ts';
import { contractBody, inContract } from './input.ts';
import { moveCommand, warnOfCheckDigit } from './move.ts';
import { dayOption, settingOption, slug, text } from './options.ts';
import { readShown, shownLines } from './show.ts';

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
        'create a draft with an empty passport. You cannot change its slug, name, group, GTIN and model later: the slug is part of public addresses.',
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
        'make passports public; prints one result per line if you name several products. It lists what is missing in a ' +
        'passport and what does not fit its template, and asks on a terminal whether to go on.',
      example: 'product activate --all-complete --tenant my-shop --dry-run',
      options: {
        allComplete: flag(
          '--all-complete',
          'activate every draft that has a value for each required field, today or on the day of --on',
        ),
        on: dayOption,
        yes: withoutQuestion('activate'),
        shareGtin: flag(
          '--share-gtin',
          "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
        ),
      },
    }),
    moveCommand('archive', 'archived', {
      description:
        'remove passports from the public site; prints one result per line if you name several products. Keep sold products active: their passports must stay readable.',
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
