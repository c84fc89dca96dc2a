import { didYouMean } from '@product-passport/openapi';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { commandHint, commandLine } from '../database/address.ts';
import { imageHash } from '../images/rules.ts';
import { europe } from '../languages/languages.ts';
import { contrastToWhite, toneOf } from '../site/palette.ts';
import { templateKeys, templateOf } from '../templates/catalogue.ts';
import { closePublicList, openPublicList } from '../tenants/public-list.ts';
import { colors, isPageAddress } from '../tenants/rules.ts';
import {
  changeLanguage,
  findPageSettings,
  insertTenant,
  legalColumns,
  type NewTenant,
  type PageSettings,
  switchScans,
  type Tenant,
  updatePages,
  walkTenants,
} from '../tenants/store.ts';
import { withChange } from './change.ts';
import { type AdministrationOptions, administrationCommand, requireTenant, withDatabase } from './database.ts';
import { imageOf } from './input.ts';
import { country, slug, text } from './options.ts';
import { CommandFailure, escaped, print, printJson, printPages, warn } from './output.ts';

/** In code points, like the name of a product. */
const longestName = 500;

export function addTenantCommands(program: Command): void {
  const tenant = program
    .command('tenant')
    .description('create and list tenants, the businesses that own products; set the look and the list of their pages');

  administrationCommand(tenant.command('create'))
    .argument('<tenant>', 'slug of the tenant', slug)
    .description('create a tenant; its slug is part of public addresses and cannot be changed')
    .requiredOption('--name <name>', 'name of the business', text(longestName))
    .requiredOption('--country <code>', 'two-letter country code (ISO 3166-1)', country)
    .addOption(
      new Option('--language <code>', `${languageMeaning} (default: that of the country, or en)`).choices(europe),
    )
    .addOption(
      new Option('--plan <plan>', 'plan of the business')
        .choices(['starter', 'business', 'enterprise'])
        .default('starter'),
    )
    .action(async (slug: string, options: CreateOptions, command: Command) => {
      const { name, country, language, plan } = options;
      const entry = { slug, name, country, language, plan };
      const made = await withChange(command, (transaction) => create(transaction, entry), { create: true });
      if (options.json) printJson(made);
      else
        print(
          `Created tenant ${slug}. Its texts are in the language ${made.language}: \`tenant language\` changes it only before ` +
            `the first value. Next: ${commandLine(`key create --tenant ${slug}`, options.database)}`,
        );
    });

  administrationCommand(tenant.command('list'))
    .description('list the tenants')
    .action((options: AdministrationOptions) =>
      withDatabase(options, (database) =>
        printPages(walkTenants(database), {
          json: options.json,
          header: ['SLUG', 'NAME', 'COUNTRY', 'LANGUAGE', 'PLAN', 'COLOR', 'PUBLIC LIST'],
          row: ({ slug, name, country, language, plan, color, listed_at }) => [
            slug,
            name,
            country,
            language,
            plan,
            color ?? '-',
            listed_at === null ? '-' : `/p/${slug}`,
          ],
          whenEmpty: 'There are no tenants yet.',
        }),
      ),
    );

  tenantArgument(tenant, 'show')
    .description('show a tenant, and which settings of its pages are missing')
    .action((slug: string, options: AdministrationOptions) =>
      withDatabase(options, async (database) => {
        const found = await requireTenant(database, { ...options, tenant: slug });
        showTenant(found, await findPageSettings(database, found.id), options);
      }),
    );

  tenantArgument(tenant, 'language')
    .addArgument(new Argument('<code>', languageMeaning).choices(europe))
    .description("change the language of a tenant's texts; possible while none of its passports has a value")
    .action(async (slug: string, language: string, options: AdministrationOptions, command: Command) => {
      await withChange(command, async (transaction) => {
        const tenant = await requireTenant(transaction, { ...options, tenant: slug });
        if (tenant.language === language) return;
        const product = await changeLanguage(transaction, tenant.id, language);
        if (product !== undefined) throw keptLanguage(tenant, language, product);
      });
      if (options.json) printJson({ slug, language });
      else print(`The language of ${slug} is ${language}.`);
    });

  tenantArgument(tenant, 'scans')
    .addArgument(new Argument('<state>', 'whether views of its pages are counted').choices(['on', 'off']))
    .description("count the views of a tenant's passport pages, or stop it. What was counted stays until scan delete")
    .action(async (slug: string, state: string, options: AdministrationOptions, command: Command) => {
      const change = { on: state === 'on', now: new Date() };
      await withChange(command, async (transaction) => {
        const { id } = await requireTenant(transaction, { ...options, tenant: slug });
        await switchScans(transaction, id, change);
      });
      if (options.json) printJson({ slug, scans: state });
      else if (change.on)
        print(`The scans of ${slug} are on. Those of ${never.join(' and ')} products are never counted.`);
      else {
        const next = commandLine(`scan delete --tenant ${slug}`, options.database);
        print(`The scans of ${slug} are off. What was counted stays until ${next}`);
      }
    });

  tenantArgument(tenant, 'brand')
    .summary("set the name, the logo and the colour of a tenant's passport pages")
    .description(
      "set the name, the logo and the colour of a tenant's passport pages. With a logo or a colour, each page begins with " +
        'the name. A logo is stored like the image of a product, and needs the package sharp.',
    )
    .option('--name <name>', 'name of the business, as pages and documents show it', text(longestName))
    .option('--logo <file>', 'PNG, JPEG or WebP file of at most 5 MB and 20 megapixels. none removes the logo')
    .option(
      '--color <color>',
      `colour of the pages: #rrggbb, or one of ${Object.keys(colors).join(', ')}. none removes it`,
      color,
    )
    .action(async (slug: string, options: BrandOptions, command: Command) => {
      const changes = await brandChanges(options);
      const settings = await changePages(slug, options, command, changes);
      if (options.json) return printJson({ slug, ...shownBrand(settings) });
      if (changes.color) warnOfContrast(changes.color);
      const logo = settings.logo_sha256 === null ? 'no logo' : 'a logo';
      print(
        `The pages of ${slug} show the name ${escaped(settings.name)}, ${logo}, and ${settings.color ?? 'the standard colour'}.`,
      );
    });

  const legal = tenantArgument(tenant, 'legal')
    .summary("set the links at the end of a tenant's passport pages")
    .description(
      "set the links at the end of a tenant's passport pages. Each starts with https://. Ask a lawyer which of them the law " +
        'requires for the business.',
    );
  for (const column of legalColumns) {
    legal.option(`--${optionOfColumn(column)} <address>`, `${meanings[column]}. none removes it`, pageAddress);
  }
  legal.action(async (slug: string, options: LegalOptions, command: Command) => {
    const given = legalColumns.flatMap((column) => {
      const address = options[optionOfColumn(column)];
      return address === undefined ? [] : [[column, address === 'none' ? null : address] as const];
    });
    if (given.length === 0) {
      const names = legalColumns.map((column) => `--${optionOfColumn(column)}`).join(', ');
      throw new CommandFailure(`nothing to change is named. Add one of ${names}.`, 2);
    }
    const settings = await changePages(slug, options, command, Object.fromEntries(given));
    if (options.json) return printJson({ slug, ...shownLegal(settings) });
    const set = legalColumns.filter((column) => settings[column] !== null).map(optionOfColumn);
    print(
      set.length === 0
        ? `The pages of ${slug} end with no address.`
        : `The pages of ${slug} link to: ${set.join(', ')}.`,
    );
  });

  listCommand(tenant, 'open-list', true).description(
    "open the public list: everybody can page through the tenant's active products at /p/SLUG, and search them",
  );

  listCommand(tenant, 'close-list', false).description('close the public list: the passports stay public');
}

function listCommand(parent: Command, name: string, isOpen: boolean): Command {
  return administrationCommand(parent.command(name))
    .argument('<tenant>', 'slug of the tenant', slug)
    .action(async (slug: string, options: AdministrationOptions, command: Command) => {
      await withChange(command, async (transaction) => {
        const { id } = await requireTenant(transaction, { ...options, tenant: slug });
        if (isOpen) await openPublicList(transaction, id, new Date());
        else await closePublicList(transaction, id);
      });
      if (options.json) printJson({ slug, public_list: isOpen ? `/p/${slug}` : null });
      else print(isOpen ? `The public list is open: /p/${slug}` : `The public list of ${slug} is closed.`);
    });
}

type CreateOptions = AdministrationOptions & Omit<NewTenant, 'slug'>;

type BrandOptions = AdministrationOptions & { name?: string; logo?: string; color?: string };
type LegalOptions = AdministrationOptions & Partial<Record<ReturnType<typeof optionOfColumn>, string>>;

type LegalColumn = (typeof legalColumns)[number];
type WithoutEnding<Name> = Name extends `${infer Start}_url` ? Start : never;

function optionOfColumn(column: LegalColumn): WithoutEnding<LegalColumn> {
  return column.replace('_url', '') as WithoutEnding<LegalColumn>;
}

const meanings: Readonly<Record<LegalColumn, string>> = {
  imprint_url: 'address of the imprint: who publishes the pages',
  privacy_url: 'address of the privacy notice',
  accessibility_url: 'address of the accessibility statement',
  contact_url: 'address of the page for questions',
};

const never = templateKeys.filter((key) => !templateOf(key).scans);

const languageMeaning = "language of the tenant's texts: names, values of passports, descriptions of images";

/** Why a tenant keeps its language. */
function keptLanguage({ slug, language }: Tenant, wanted: string, product: string): CommandFailure {
  return new CommandFailure(
    `${slug} keeps the language ${language}, because its passports have values, such as that of ${product}. A write finds a ` +
      'value by its field and its language: in another language it would miss those that are not public, and publish new ' +
      `ones. Create another tenant with --language ${wanted}.`,
  );
}

function tenantArgument(parent: Command, name: string): Command {
  return administrationCommand(parent.command(name)).argument('<tenant>', 'slug of the tenant', slug);
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

async function brandChanges({ name, logo, color }: BrandOptions): Promise<Parameters<typeof updatePages>[2]> {
  if (name === undefined && color === undefined && logo === undefined) {
    throw new CommandFailure('nothing to change is named. Add --name, --logo or --color.', 2);
  }
  return {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color: color === 'none' ? null : color }),
    ...(logo !== undefined && (await logoChanges(logo))),
  };
}

async function logoChanges(file: string) {
  if (file === 'none') return { logo_sha256: null, logo_width: null, logo_height: null, logo_bytes: null };
  const { bytes, width, height } = await imageOf(file);
  return { logo_sha256: imageHash(bytes), logo_width: width, logo_height: height, logo_bytes: bytes };
}

function changePages(
  slug: string,
  options: AdministrationOptions,
  command: Command,
  changes: Parameters<typeof updatePages>[2],
): Promise<PageSettings> {
  return withChange(command, async (transaction) => {
    const { id } = await requireTenant(transaction, { ...options, tenant: slug });
    return updatePages(transaction, id, changes);
  });
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

function shownLegal(settings: PageSettings): Pick<PageSettings, LegalColumn> {
  return Object.fromEntries(legalColumns.map((column) => [column, settings[column]])) as Pick<
    PageSettings,
    LegalColumn
  >;
}

function showTenant(tenant: Tenant, settings: PageSettings, { json, database }: AdministrationOptions): void {
  const { slug, country, language, plan } = tenant;
  const { logo, ...brand } = shownBrand(settings);
  const list = settings.listed_at === null ? null : `/p/${slug}`;
  const missing = [
    ...(logo === null ? ['logo'] : []),
    ...(brand.color === null ? ['color'] : []),
    ...legalColumns.filter((column) => settings[column] === null).map(optionOfColumn),
    ...(list === null ? ['public list'] : []),
  ];
  if (json) {
    printJson({
      slug,
      country,
      language,
      plan,
      ...brand,
      logo,
      ...shownLegal(settings),
      public_list: list,
      scans_off_at: settings.scans_off_at,
      not_set: missing,
    });
    return;
  }
  const lines = [
    ['Tenant', `${slug}  ${brand.name}`],
    ['Country', country],
    ['Language', language],
    ['Plan', plan],
    ['Color', brand.color ?? '-'],
    ['Logo', logo ? `${logo.width} × ${logo.height} pixels` : '-'],
    ...legalColumns.map((column) => [capitalized(optionOfColumn(column)), settings[column] ?? '-']),
    ['Public list', list ?? '-'],
    ['Scans', settings.scans_off_at === null ? 'on' : `off since ${settings.scans_off_at}`],
  ];
  print(...lines.map(([name = '', text = '']) => `${name.padEnd(14)} ${escaped(text)}`));
  if (missing.length === 0) return;
  const commands = ['tenant brand', 'tenant legal', 'tenant open-list'].map((each) =>
    commandHint(`${each} ${slug}`, database),
  );
  print('', `Not set: ${missing.join(', ')}.`, `Commands that set them: ${commands.join(', ')}.`);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

async function create(transaction: Knex.Transaction, entry: NewTenant): Promise<Tenant> {
  const made = await insertTenant(transaction, entry, new Date());
  if (!made) throw new CommandFailure(`the tenant ${entry.slug} already exists. Choose another slug.`);
  return made;
}
