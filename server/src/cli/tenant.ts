import { didYouMean } from '@product-passport/openapi';
import { InvalidArgumentError } from 'commander';
import type { Knex } from 'knex';
import { commandLine } from '../database/address.ts';
import { encodeImage } from '../images/encode.ts';
import { imageHash } from '../images/rules.ts';
import { europe } from '../languages/languages.ts';
import { OperatorError } from '../operator-error.ts';
import { contrastToWhite, toneOf } from '../site/palette.ts';
import { templateKeys, templateOf } from '../templates/catalogue.ts';
import { createKey, revokeKey, walkKeys } from '../tenants/keys.ts';
import { isFacilityId, isOperatorId } from '../tenants/operator.ts';
import {
  changeLanguage,
  closePublicList,
  colors,
  findPageSettings,
  insertTenant,
  isPageAddress,
  type Legal,
  legalColumns,
  openPublicList,
  type PageSettings,
  slugForm,
  switchScans,
  type Tenant,
  updatePages,
  walkTenants,
} from '../tenants/store.ts';
import { slugOfHidden } from '../transfer/format.ts';
import {
  argument,
  type Context,
  command,
  country,
  flag,
  id,
  type Noun,
  type OptionOf,
  option,
  requiredOption,
  slug,
  text,
} from './command.ts';
import { escaped, facts, warn } from './output.ts';

/** In code points, like the name of a product. */
const name = text(500);

type LegalColumn = (typeof legalColumns)[number];

/** `imprint` of `imprint_url`. */
const optionOfColumn = (column: LegalColumn): string => column.replace('_url', '');

const meanings: Readonly<Record<LegalColumn, string>> = {
  imprint_url: 'address of the imprint: who publishes the pages',
  privacy_url: 'address of the privacy notice',
  accessibility_url: 'address of the accessibility statement',
  contact_url: 'address of the page for questions',
};

const legalOptions: Readonly<Record<string, OptionOf<string | undefined>>> = Object.fromEntries(
  legalColumns.map((column) => {
    const name = optionOfColumn(column);
    return [name, option(`--${name} <address>`, `${meanings[column]}. none removes it`, pageAddress)];
  }),
);

const notCounted = templateKeys.filter((key) => !templateOf(key).scans);

/** Warns of tenants whose import has not finished. No other command accepts them. */
async function* finishedTenants(database: Knex, hint: Context['hint']) {
  for await (const tenants of walkTenants(database)) {
    const finished = tenants.filter(({ slug }) => slugForm.test(slug));
    for (const { slug } of tenants.filter((tenant) => !finished.includes(tenant))) {
      const discard = hint(`import --discard ${slugOfHidden(slug)}`);
      warn(
        `an import of the tenant ${slugOfHidden(slug)} has not finished. If it is not running, remove what it stored: ${discard}.`,
      );
    }
    if (finished.length > 0) yield finished;
  }
}

const languageMeaning = "language of the tenant's texts: names, values of passports, descriptions of images";

export const commands: Noun = {
  name: 'tenant',
  description: 'create and list tenants, the businesses that own products; set the look and the list of their pages',
  commands: [
    command({
      name: 'create',
      about: 'database',
      changes: true,
      open: { create: true },
      description: 'create a tenant; its slug is part of public addresses and cannot be changed',
      example: "tenant create my-shop --name 'My Shop' --country DE",
      arguments: [argument('<tenant>', 'slug of the tenant', slug)],
      options: {
        name: requiredOption('--name <name>', 'name of the business', name),
        country: requiredOption('--country <code>', 'two-letter country code (ISO 3166-1)', country),
        language: option('--language <code>', `${languageMeaning} (default: that of the country, or en)`, europe),
        plan: option('--plan <plan>', 'plan of the business', ['starter', 'business', 'enterprise'], 'starter'),
      },
      async run({ database, options: { name, country, language, plan } }, slug) {
        const made = await insertTenant(database, { slug, name, country, language, plan }, new Date());
        if (!made) throw new OperatorError(`the tenant ${slug} already exists. Choose another slug.`);
        return made;
      },
      text: ({ slug, language }, { options }) =>
        `Created tenant ${slug}. Its texts are in the language ${language}: \`tenant language\` changes it only before ` +
        `the first value. Next: ${commandLine(`key create --tenant ${slug}`, options.database)}`,
    }),
    command({
      name: 'list',
      about: 'database',
      description: 'list the tenants',
      example: 'tenant list --json',
      run: ({ database, hint }) => finishedTenants(database, hint),
      table: {
        header: ['SLUG', 'NAME', 'COUNTRY', 'LANGUAGE', 'PLAN', 'COLOR', 'PUBLIC LIST', 'OPERATOR'],
        row: ({ slug, name, country, language, plan, color, listed_at, economic_operator_id }) => [
          slug,
          name,
          country,
          language,
          plan,
          color ?? '-',
          listed_at === null ? '-' : `/p/${slug}`,
          economic_operator_id ?? '-',
        ],
        empty: () => 'There are no tenants yet.',
      },
    }),
    command({
      name: 'show',
      about: '<tenant>',
      description: 'show a tenant, and which settings of its pages are missing',
      example: 'tenant show my-shop',
      run: ({ database, tenant }) => readTenant(database, tenant),
      text: shownLines,
    }),
    command({
      name: 'language',
      about: '<tenant>',
      changes: true,
      description: "change the language of a tenant's texts; possible while none of its passports has a value",
      example: 'tenant language my-shop en',
      arguments: [argument('<code>', languageMeaning, europe)],
      async run({ database, tenant }, language) {
        if (tenant.language !== language) {
          const product = await changeLanguage(database, tenant.id, language);
          if (product !== undefined) throw keptLanguage(tenant, language, product);
        }
        return { slug: tenant.slug, language };
      },
      text: ({ slug, language }) => `The language of ${slug} is ${language}.`,
    }),
    command({
      name: 'scans',
      about: '<tenant>',
      changes: true,
      description: "count the views of a tenant's passport pages, or stop it. What was counted stays until scan delete",
      example: 'tenant scans my-shop off',
      arguments: [argument('<state>', 'whether views of its pages are counted', ['on', 'off'])],
      async run({ database, tenant: { id, slug } }, scans) {
        await switchScans(database, id, { on: scans === 'on', now: new Date() });
        return { slug, scans };
      },
      text: ({ slug, scans }, { options }) =>
        scans === 'on'
          ? `The scans of ${slug} are on. Those of ${notCounted.join(' and ')} products are never counted.`
          : `The scans of ${slug} are off. What was counted stays until ${commandLine(`scan delete --tenant ${slug}`, options.database)}`,
    }),
    command({
      name: 'brand',
      about: '<tenant>',
      changes: true,
      summary: "set the name, the logo and the colour of a tenant's passport pages",
      description:
        "set the name, the logo and the colour of a tenant's passport pages. With a logo or a colour, each page begins with " +
        'the name. A logo is stored like the image of a product, and needs the package sharp.',
      example: "tenant brand my-shop --name 'My Shop' --logo logo.png --color '#0b4f55'",
      options: {
        name: option('--name <name>', 'name of the business, as pages and documents show it', name),
        logo: option(
          '--logo <file>',
          'PNG, JPEG or WebP file of at most 5 MB and 20 megapixels. none removes the logo',
        ),
        color: option(
          '--color <color>',
          `colour of the pages: #rrggbb, or one of ${Object.keys(colors).join(', ')}. none removes it`,
          color,
        ),
      },
      async prepare({ name, logo, color }): Promise<Parameters<typeof updatePages>[2]> {
        if (name === undefined && color === undefined && logo === undefined) {
          throw new OperatorError('nothing to change is named. Add --name, --logo or --color.', 2);
        }
        return {
          ...(name !== undefined && { name }),
          ...(color !== undefined && { color: color === 'none' ? null : color }),
          ...(logo !== undefined && (await logoChanges(logo))),
        };
      },
      run: ({ database, tenant, prepared }) => updatePages(database, tenant.id, prepared),
      json: (settings, { tenant: { slug } }) => ({ slug, ...shownBrand(settings) }),
      text({ name, logo_sha256, color }, { tenant: { slug }, prepared }) {
        if (prepared.color) warnOfContrast(prepared.color);
        const logo = logo_sha256 === null ? 'no logo' : 'a logo';
        return `The pages of ${slug} show the name ${escaped(name)}, ${logo}, and ${color ?? 'the standard colour'}.`;
      },
    }),
    command({
      name: 'legal',
      about: '<tenant>',
      changes: true,
      summary: "set the links at the end of a tenant's passport pages",
      description:
        "set the links at the end of a tenant's passport pages. Each starts with https://. Ask a lawyer which of them the law " +
        'requires for the business.',
      example: 'tenant legal my-shop --imprint https://shop.example/imprint --privacy https://shop.example/privacy',
      options: legalOptions,
      prepare(options): Parameters<typeof updatePages>[2] {
        const given = legalColumns.flatMap((column) => {
          const address = options[optionOfColumn(column)];
          return address === undefined ? [] : [[column, address === 'none' ? null : address]];
        });
        if (given.length > 0) return Object.fromEntries(given);
        const names = legalColumns.map((column) => `--${optionOfColumn(column)}`).join(', ');
        throw new OperatorError(`nothing to change is named. Add one of ${names}.`, 2);
      },
      run: ({ database, tenant, prepared }) => updatePages(database, tenant.id, prepared),
      json: (settings, { tenant: { slug } }) => ({ slug, ...shownLegal(settings) }),
      text(settings, { tenant: { slug } }) {
        const set = legalColumns.filter((column) => settings[column] !== null).map(optionOfColumn);
        return set.length === 0
          ? `The pages of ${slug} end with no address.`
          : `The pages of ${slug} link to: ${set.join(', ')}.`;
      },
    }),
    command({
      name: 'operator',
      about: '<tenant>',
      changes: true,
      summary: "set the economic operator of a tenant's passports, which the reads of EN 18222 need",
      description:
        "set the economic operator of a tenant's passports, and its facility. Without an operator the tenant has no reads below " +
        '/dpp/v1. none removes it, and the facility. An identifier is 0088: with a GLN, 0199: with an LEI, 0223: with a VAT number, a GS1 ' +
        'Digital Link with /417/ and a GLN, a DID, or a DOI. The command checks the form and the check digits only.',
      example: 'tenant operator my-shop 0088:9520001000003 --facility 0088:9520001000010',
      arguments: [argument('<id>', 'identifier of the economic operator', operatorId)],
      options: {
        facility: option(
          '--facility <id>',
          'identifier of the facility: as above, with /414/. none removes it',
          facilityId,
        ),
      },
      run: ({ database, tenant, options: { facility } }, operator) =>
        updatePages(database, tenant.id, {
          ...(operator === 'none'
            ? { economic_operator_id: null, facility_id: null }
            : { economic_operator_id: operator }),
          ...(facility !== undefined && { facility_id: facility === 'none' ? null : facility }),
        }),
      json: ({ economic_operator_id, facility_id }, { tenant: { slug } }) => ({
        slug,
        economic_operator_id,
        facility_id,
      }),
      text({ economic_operator_id: operator, facility_id: facility }, { tenant: { slug } }) {
        if (operator === null) return `The passports of ${slug} have no economic operator, and no reads below /dpp/v1.`;
        return `The economic operator of ${slug} is ${operator}, ${facility === null ? 'without a facility' : `its facility ${facility}`}.`;
      },
    }),
    command({
      name: 'open-list',
      about: '<tenant>',
      changes: true,
      description:
        "open the public list: everybody can page through the tenant's active products at /p/SLUG, and search them",
      example: 'tenant open-list my-shop',
      async run({ database, tenant: { id, slug } }) {
        await openPublicList(database, id, new Date());
        return { slug, public_list: `/p/${slug}` };
      },
      text: ({ public_list }) => `The public list is open: ${public_list}`,
    }),
    command({
      name: 'close-list',
      about: '<tenant>',
      changes: true,
      description: 'close the public list: the passports stay public',
      example: 'tenant close-list my-shop',
      async run({ database, tenant: { id, slug } }) {
        await closePublicList(database, id);
        return { slug, public_list: null };
      },
      text: ({ slug }) => `The public list of ${slug} is closed.`,
    }),
  ],
};

/** Why a tenant keeps its language. */
function keptLanguage({ slug, language }: Tenant, wanted: string, product: string): OperatorError {
  return new OperatorError(
    `${slug} keeps the language ${language}, because its passports have values, such as that of ${product}. A write finds a ` +
      'value by its field and its language: in another language it would miss those that are not public, and publish new ' +
      `ones. Create another tenant with --language ${wanted}.`,
  );
}

function color(given: string): string {
  if (given === 'none') return given;
  const written = Object.hasOwn(colors, given) ? colors[given as keyof typeof colors] : given.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(written)) return written;
  const names = Object.keys(colors);
  throw new InvalidArgumentError(
    `Use six digits as in '#0b4f55', none, or one of ${names.join(', ')}.${didYouMean(given, names)}`,
  );
}

function pageAddress(given: string): string {
  if (given === 'none' || isPageAddress(given)) return given;
  throw new InvalidArgumentError(
    'Use none, or an address such as https://shop.example/imprint: https, ASCII, at most 500 characters, no password.',
  );
}

function operatorId(given: string): string {
  if (given === 'none' || isOperatorId(given)) return given;
  throw new InvalidArgumentError(
    'Use none, 0088: with a GLN, 0199: with an LEI, 0223: with a VAT number, https://id.gs1.org/417/ with a GLN, a DID or a DOI. ' +
      'A GLN and an LEI end with check digits.',
  );
}

function facilityId(given: string): string {
  if (given === 'none' || isFacilityId(given)) return given;
  throw new InvalidArgumentError(
    'Use none, 0088: with a GLN, https://id.gs1.org/414/ with a GLN, a DID or a DOI. A GLN ends with a check digit.',
  );
}

async function logoChanges(file: string) {
  if (file === 'none') return { logo_sha256: null, logo_width: null, logo_height: null, logo_bytes: null };
  const { bytes, width, height } = await encodeImage(file);
  return { logo_sha256: imageHash(bytes), logo_width: width, logo_height: height, logo_bytes: bytes };
}

/** Says which shades the pages use in place of a colour without enough contrast. */
function warnOfContrast(color: string): void {
  const { shade, light } = toneOf(color);
  if (shade !== color) {
    const [before, after] = [color, shade].map((each) => contrastToWhite(each).toFixed(1));
    warn(
      `${color} is too light for white text (contrast ${before}). The band, headings and links are ${shade} (contrast ${after}).`,
    );
  }
  if (light !== color) warn(`headings and links on dark cards are ${light}, because ${color} is too dark for them.`);
}

function shownBrand({ name, color, logo_sha256, logo_width: width, logo_height: height }: PageSettings) {
  return { name, color, logo: logo_sha256 === null ? null : { sha256: logo_sha256, width, height } };
}

function shownLegal(settings: PageSettings): Legal {
  return Object.fromEntries(legalColumns.map((column) => [column, settings[column]])) as Legal;
}

async function readTenant(database: Knex, { id, slug, country, language, plan }: Tenant) {
  const settings = await findPageSettings(database, id);
  const { logo, ...brand } = shownBrand(settings);
  const legal = shownLegal(settings);
  const { scans_off_at, listed_at, economic_operator_id, facility_id } = settings;
  const public_list = listed_at === null ? null : `/p/${slug}`;
  const not_set = [
    ...(logo === null ? ['logo'] : []),
    ...(brand.color === null ? ['color'] : []),
    ...legalColumns.filter((column) => legal[column] === null).map(optionOfColumn),
    ...(public_list === null ? ['public list'] : []),
    ...(economic_operator_id === null ? ['economic operator'] : []),
  ];
  const operator = { economic_operator_id, facility_id };
  return { slug, country, language, plan, ...brand, logo, ...legal, public_list, ...operator, scans_off_at, not_set };
}

function shownLines(shown: Awaited<ReturnType<typeof readTenant>>, { hint }: Context): string[] {
  const { slug, name, country, language, plan, color, logo, public_list, scans_off_at, not_set } = shown;
  const lines: [string, string][] = [
    ['Tenant', `${slug}  ${name}`],
    ['Country', country],
    ['Language', language],
    ['Plan', plan],
    ['Color', color ?? '-'],
    ['Logo', logo ? `${logo.width} × ${logo.height} pixels` : '-'],
    ['Imprint', shown.imprint_url ?? '-'],
    ['Privacy', shown.privacy_url ?? '-'],
    ['Accessibility', shown.accessibility_url ?? '-'],
    ['Contact', shown.contact_url ?? '-'],
    ['Public list', public_list ?? '-'],
    ['Operator', shown.economic_operator_id ?? '-, so the passports have no reads below /dpp/v1'],
    ['Facility', shown.facility_id ?? '-'],
    ['Scans', scans_off_at === null ? 'on' : `off since ${scans_off_at}`],
  ];
  if (not_set.length === 0) return facts(lines);
  const commands = ['tenant brand', 'tenant legal', 'tenant open-list', 'tenant operator'].map((each) =>
    hint(`${each} ${slug}`),
  );
  return [...facts(lines), '', `Not set: ${not_set.join(', ')}.`, `Commands that set them: ${commands.join(', ')}.`];
}

export const keyCommands: Noun = {
  name: 'key',
  description: 'create, list and revoke the API keys of a tenant',
  commands: [
    command({
      name: 'create',
      about: 'tenant',
      changes: true,
      description: 'create an API key; the key is shown only once',
      example: 'key create --tenant my-shop --label inventory --publish',
      options: {
        // In code points, like the name of a product.
        label: option('--label <text>', 'what the key is for', text(500), ''),
        publish: flag(
          '--publish',
          'the key may also publish and archive products. It keeps this right until it is revoked',
        ),
      },
      run: ({ database, tenant, options: { label, publish } }) =>
        createKey(database, tenant.id, label, new Date(), publish ? 'publish' : 'edit'),
      text: ({ key }) => key,
      secret: ({ id }, { tenant }) => ({
        name: `API key ${id}`,
        note: [`Store this key now: it is not shown again. Its id is ${id}.`],
        revoke: (transaction) => revokeKey(transaction, tenant.id, id, new Date()),
      }),
    }),
    command({
      name: 'list',
      about: 'tenant',
      summary: 'list the API keys by id and label; the keys themselves are not stored',
      description:
        'list the API keys by id and label; the keys themselves are not stored. The first use is shown at once; the time of a later one is at most a minute old.',
      example: 'key list --tenant my-shop',
      run: ({ database, tenant }) => walkKeys(database, tenant.id),
      table: {
        header: ['ID', 'CREATED', 'LAST USED', 'REVOKED', 'PUBLISH', 'LABEL'],
        row: ({ id, created_at, last_used_at, revoked_at, scope, label }) => [
          ...[id, created_at, last_used_at ?? '-', revoked_at ?? '-'],
          ...[scope === 'publish' ? 'yes' : '-', label],
        ],
        empty: () => 'The tenant has no API keys.',
      },
    }),
    command({
      name: 'revoke',
      about: 'tenant',
      changes: true,
      description: 'revoke an API key; the server rejects it from the next request on',
      example: 'key revoke ID --tenant my-shop',
      arguments: [argument('<id>', 'id of the key', id)],
      async run({ database, tenant, hint }, id) {
        const revoked = await revokeKey(database, tenant.id, id, new Date());
        if (revoked) return revoked;
        const list = hint(`key list --tenant ${tenant.slug}`);
        throw new OperatorError(`the tenant ${tenant.slug} has no API key ${id}. List its keys with ${list}.`);
      },
      text: (_key, _context, id) => `Revoked API key ${id}.`,
    }),
  ],
};
