/**
 * What commands print, as sessions that the snapshot shows whole. PostgreSQL and SQLite print the same.
 *
 * Lines of a session: `> FILE TEXT` writes a file, `# TEXT` is a heading, all else is a command line. ID stands for the id
 * that the last `create` or `add` printed. In the output `! ` marks standard error, and `[1]` an exit code.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { dayOf } from '@product-passport/openapi';
import { version } from '../../../server/src/cli/output.ts';
import { settings } from '../../../server/src/config/settings.ts';
import { runHere } from '../../support/command.ts';
import { type DatabaseKind, newMigratedDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { root } from '../../support/program.ts';

const nobody = '01900000-0000-7000-8000-000000000000';
const site = '--site-url https://passport.example.com';

const sessions: Record<string, string> = {
  'wrong command lines': `
    # The name of the program is in front. With --json an error is one JSON document
    tenant creat x
    tenant creat x --json
    product activate none --tenant nobody --json
    tenant
    product image
    tenant list --database postgres://nobody@127.0.0.1:1/none
    tenant list --database ''
    tenant list --database mysql://me:secret@localhost/shop
    tenant list --database file:shop.sqlite
    tenant list --database Postgres://me:secret@localhost/shop
    tenant list --database postgres://me:sec/ret@localhost/shop
    serve --port 0 --database .
    serve --port 0 --database postgres/://me:secret@localhost/shop

    # Closed lists name their values, and the closest one
    template show cabel
    product create cup --name Cup --product-group textil
    registry set cup redy
    serve --log-level wran
    tenant create ok --name X --country DE --plan gold
    tenant create ok --name X --country DE --plan busines
    tenant create ok --name X --country SE --language se
    tenant language my-shop german
    tenant brand my-shop --color gren
    tenant scans my-shop offf
    token create --role consumer
    carrier add cup --type laser
    carrier sheet cup --labels 10x10 --output x.html
    carrier image cup --output x.svg --type nfc
    carrier image cup --output x.svg --format gif
    template readiness batery
    template readiness battery --status actve

    # Forms of values
    tenant create My-Shop --name X --country DE
    tenant create ok --name ' ' --country DE
    tenant create ok --name X --country Germany
    tenant create ok --name X --country ZZ
    tenant legal my-shop --imprint http://shop.example
    tenant brand my-shop --color 12345
    key create --tenant 'My Shop'
    key revoke 123
    token create cup --role recycler --days 0
    token revoke 1
    audit --since yesterday
    audit --limit 0
    product activate cup --on 2027-02-30
    template readiness battery --on 2027-02-30
    template readiness battery --csv --json
    demo fill --products=-1
    demo fill --products 1.5
    demo fill --products 10000001
    carrier add cup --type nfc --nfc-tag-uid 04A224B1C36F8
    carrier image cup --output x.svg --size-mm 0.99
    carrier image cup --output x.svg --size-mm 2cm
    carrier image cup --output x.svg --size-mm 300.5
    carrier image cup --output x.svg --dpi 1e3
    carrier image cup --output x.svg --site-url example.com
    carrier sheet --all --skip 40 --output x.html
    serve --port 99999
    serve --port 80x
    serve --host ''
    serve --site-url passport.example.com
    serve --site-url https://passport.example.com/shop
    serve --urn-namespace x:y
    serve --redirect-status 301
    serve --port 4711 --admin-port 4711
    serve --port 0 --database :memory: --log-level warn --host 192.0.2.1
    serve --port 0 --database /no/such/folder/x.sqlite --log-level warn
    config --lock-timeout 6s

    # What belongs together
    tenant brand my-shop
    tenant legal my-shop
    token create --role recycler
    token create cup --all --role recycler
    product activate
    product archive
    carrier sheet --output x.html
    carrier sheet --all --labels 105x57 --skip 10 --output x.html
    carrier add cup --type qr --nfc-tag-uid 04A224B1C36F80
    carrier image cup --output x.png --hri
    import my-shop.jsonl --discard my-shop
    backup -
    restore -

    # Files
    product image set cup none.png
    > text A text.
    tenant brand my-shop --logo text
    tenant list --database text
    passport set cup none.json
    product archive --file none.txt
  `,

  'tenants and keys': `
    key create
    tenant create my-shop --name 'My Shop' --country at
    tenant create my-shop --name Again --country DE
    # The only tenant need not be named
    key create --label only
    key list
    product show none
    tenant create other-shop --name 'Ändere Läden' --country fr --plan business --language sl --json
    key create
    key create --tenant nobody
    tenant list
    tenant list --json

    # Keys are shown once
    key create --tenant my-shop --label inventory
    key list --tenant my-shop
    key revoke ID --tenant other-shop
    key revoke ID --tenant my-shop --json
    key revoke ID --tenant my-shop
    key revoke ${nobody} --tenant my-shop
    key list --tenant my-shop --json
    key list --tenant other-shop

    # Pages
    tenant show my-shop
    tenant brand my-shop --name 'Told & Co' --color teal
    tenant brand my-shop --color '#fcfcfc' --json
    tenant brand my-shop --color '#fcfcfc'
    tenant brand my-shop --color none
    tenant legal my-shop --imprint https://shop.example/i --privacy https://shop.example/p
    tenant legal my-shop --privacy none --json
    tenant legal my-shop --imprint none
    tenant open-list my-shop
    tenant scans my-shop off
    tenant show my-shop
    tenant show my-shop --json
    tenant scans my-shop on
    tenant close-list my-shop

    # The language stays once a passport has a value
    product create cup --name Cup --tenant my-shop
    tenant language my-shop en
    > values.json [{ "field_key": "a", "value": 1, "access_level": "authority" }]
    passport set cup values.json --tenant my-shop
    tenant language my-shop fr
    tenant language my-shop en --json
    tenant show nobody

    # The audit trail names the tenant, and has no entry of a command that failed or only read
    audit --json --limit 200
    audit --since 2999-01-01
  `,

  'tokens and scans': `
    tenant create shop --name Shop --country DE
    product create cup --name Cup
    token list
    token create cup --role recycler --days 7
    token create --all --role inspector --json
    token create none --role recycler
    token list
    token revoke ID
    token revoke ${nobody}
    token rotate-secret
    token create --all --role recycler
    token rotate-secret --json
    token rotate-secret --revoke-old
    token rotate-secret --revoke-old --yes
    token rotate-secret
    token rotate-secret --revoke-old --yes --json
    token list
    version withhold cup 1
    version withhold cup 1 --yes
    > values.json [{ "field_key": "a", "value": 1 }]
    passport set cup values.json
    version withhold cup 1 --yes
    scan delete
    scan delete --product none --yes
    scan delete --product cup --yes --json
    scan delete --yes
    scan confirm-clock
    check-hashes
    check-hashes --json --tenant shop
  `,

  products: `
    tenant create shop --name Shop --country DE
    product list
    product create teller --name 'Teller 24 cm' --product-group furniture --gtin 9520001000089 --model T24 --json
    product create teller --name 'Teller 24 cm'
    product create teller-2 --name ' '
    product create teller-2 --name Teller --gtin 123
    product create kreisel --name Kreisel --product-group toy --gtin 4012345678906
    product list
    product list --status active
    product list --status draft --json
    product show teller
    product show kreisel --json ${site}
    product show none

    # One product
    product activate none
    product archive teller --dry-run
    product archive teller
    product archive teller
    product activate teller --json
    product show teller ${site}
    product archive teller
    product activate teller --dry-run --json

    # Several: one result a line, and one entry in the audit trail
    product create alt-1 --name 'Alt 1'
    product create alt-2 --name 'Alt 2'
    > old.txt \\n  alt-2\\r\\n\\nno-such\\u001b[31m\\nalt-1\\n
    product archive alt-1 --file old.txt --dry-run
    product archive alt-1 --file old.txt
    audit --json --limit 1
    product activate teller no-such --json
    product archive --file /dev/null
    product activate alt-1 alt-2 teller

    # The registry
    registry set alt-1 registered --registry-id R-1
    registry set alt-1 ready
    registry set alt-1 ready
    registry set alt-1 submitted --registry-id R-1
    registry set alt-1 submitted
    registry set alt-1 rejected
    registry set alt-1 submitted
    registry set alt-1 ready
    registry set alt-1 submitted
    registry set alt-1 registered
    registry set alt-1 registered --registry-id R-1 --json
    registry set alt-1 ready
    registry set alt-1 deactivated
    registry set alt-1 ready
    registry list
    registry list --status deactivated --json
    registry list --status rejected

    # A GTIN that is active under another tenant, and items with their serial numbers
    tenant create other --name Other --country DE
    product create copy --name Copy --gtin 09520001000089 --tenant other
    product activate copy --tenant other
    product activate copy --tenant other --share-gtin
    product archive teller --tenant shop
    product activate teller --tenant shop --share-gtin
    product create item-1 --name Item --gtin 9520001999993 --tenant shop
    product create item-2 --name Item --gtin 9520001999993 --tenant shop
    product create twin --name Item --gtin 9520001999993 --tenant shop
    > 1.json [{ "field_key": "serial_number", "value": "SN-1" }]
    > 2.json [{ "field_key": "serial_number", "value": "SN-2" }]
    passport set item-1 1.json --tenant shop
    passport set item-2 2.json --tenant shop
    passport set twin 1.json --tenant shop
    product activate item-1 item-2 twin --tenant shop
    product image remove twin --tenant shop
  `,

  passports: `
    tenant create shop --name Shop --country DE
    product create schal --name Schal --product-group textile
    > values.json [{ "field_key": "garment_weight", "value": 80, "unit": "g" }, { "field_key": "care_instruktions", "value": "x" }]
    passport set schal values.json --json
    # The contract accepts any JSON value, so these are stored
    > values.json [{"field_key":"manufacturer_name","value":"Shop"},{"field_key":"fibre_composition","value":["80% wool"]},{"field_key":"country_of_origin","value":"Scotland"},{"field_key":"garment_weight","value":-5,"unit":"kg"},{"field_key":"care_instruktions","value":"x\\\\u001b[31m"},{"field_key":"our_sku","value":1},{"field_key":"test_reports","value":"https://example.com","access_level":"restricted"}]
    passport set schal values.json
    product show schal
    product show schal --json

    # Refused files: nothing is stored
    > wrong.json [{
    passport set schal wrong.json
    > wrong.json [\\n\\u00a0]
    passport set schal wrong.json
    > wrong.json
    passport set schal wrong.json
    > wrong.json {}
    passport set schal wrong.json
    > wrong.json [{ "field_key": "garment_weight", "value": 1 }, { "value": 1 }]
    passport set schal wrong.json
    > wrong.json [{ "field_key": "garment_weight", "value": 9007199254740993 }]
    passport set schal wrong.json
    passport set none values.json
    audit --json --limit 1

    # What is missing and what does not fit. A program is not asked
    product activate schal --dry-run
    product activate schal --dry-run --json
    product activate schal --file /dev/null --dry-run --json
    product activate schal --json
    product archive schal
    product create cup --name Cup
    product activate schal cup
    # An own field alone is no reason to warn
    > own.json [{"field_key":"manufacturer_name","value":"Shop"},{"field_key":"country_of_origin","value":"DE"},{"field_key":"product_description","value":"Becher"},{"field_key":"recycling_instructions","value":"Glas"},{"field_key":"our_sku","value":1}]
    product create eigenes --name Eigenes --product-group other
    passport set eigenes own.json
    product activate --all-complete --dry-run
    product activate --all-complete
    product activate --all-complete --on 2026-01-01
    passport set eigenes own.json

    # Fields are removed
    passport unset schal care_instruktion --yes
    passport unset schal our_sku our_skuu --yes
    passport unset schal our_sku x\u001b y --yes
    passport unset schal __proto__
    passport unset schal our_sku
    passport unset schal our_sku --dry-run
    passport unset schal our_sku --dry-run --json
    passport unset schal our_sku our_sku care_instruktions --yes --json
    passport unset schal test_reports --yes
    passport unset eigenes our_sku --yes
    audit --json --limit 3
  `,

  carriers: `
    tenant create shop --name Shop --country DE
    tenant create other --name Other --country DE
    product create pullover --name Pullover --gtin 9520001000010 --tenant shop
    product create ohne --name Ohne --tenant shop
    carrier list pullover --tenant shop
    carrier list pullover --tenant shop ${site}
    carrier add pullover --tenant shop --type qr ${site}
    carrier deprecate ID --tenant other ${site}
    carrier withdraw ID --tenant shop ${site}
    carrier deprecate ID --tenant shop ${site} --json
    carrier deprecate ID --tenant shop ${site}
    carrier withdraw ID --tenant shop ${site}
    carrier withdraw ID --tenant shop ${site}
    carrier deprecate ID --tenant shop ${site}
    carrier add pullover --tenant shop --type nfc --nfc-tag-uid 04:a2:24:b1:c3:6f:80 ${site} --json
    carrier list pullover --tenant shop ${site}
    carrier list pullover --tenant shop ${site} --json
    carrier list ohne --tenant shop ${site}
    carrier deprecate ${nobody} --tenant shop ${site}
    carrier add ohne --tenant shop --type qr ${site}
    carrier add pullover --tenant other --type qr ${site}
    product create fehldruck --name Fehldruck --gtin 9520001000011 --tenant shop
    carrier add fehldruck --tenant shop --type qr ${site}

    # Pictures and sheets
    carrier image pullover --tenant shop --type datamatrix --output code.png ${site}
    carrier image pullover --tenant shop --output code.png ${site}
    carrier image fehldruck --tenant shop --output code.png --force ${site}
    # The file ending decides the format, unless --format does
    carrier image pullover --tenant shop --size-mm 93.98 --dpi 100 --output exact.PNG ${site} --json
    carrier image pullover --tenant shop --output label ${site}
    carrier image pullover --tenant shop --output label --force --format png ${site}
    carrier image ohne --tenant shop --output x.svg --hri ${site}
    carrier image pullover --tenant shop --output x.png --size-mm 3 ${site}
    carrier image pullover --tenant shop --output none/x.svg ${site}
    carrier sheet pullover ohne pullover --tenant shop --output labels.html --copies 2 ${site}
    carrier sheet pullover --tenant shop --output labels.html ${site}
    carrier sheet pullover --tenant shop --output long.html --site-url https://${'passport.'.repeat(22)}example.com
    carrier sheet none --tenant shop --output x.html ${site}
    carrier sheet --tenant other --all --output x.html ${site}
    carrier sheet --tenant shop --all --copies 1000 --skip 0 --output all.html ${site}
    carrier sheet --tenant shop --all --file none.txt --output x.html ${site}
  `,

  templates: `
    template list
    template show toy
    template show motor
    template show battery
    template show Cable

    # Requirements on a day
    tenant create shop --name Shop --country DE
    product create akku --name Akku --product-group battery
    > values.json [{"field_key":"battery_category","value":"lmt"},{"field_key":"state_of_certified_energy","value":90,"unit":"%","access_level":"restricted"}]
    passport set akku values.json
    product show akku --on 2026-11-01
    product show akku --on 2099-12-31 --json
    > values.json [{"field_key":"battery_category","value":"sli"}]
    product create starter --name Starter --product-group battery
    passport set starter values.json
    product show starter --on 2099-12-31
    template readiness battery --status draft --on 2099-12-31
    template readiness battery --status draft --on 2099-12-31 --csv
    template readiness toy --on 2099-12-31 --json
  `,
};

afterAll(() => process.chdir(root));

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Without what is different in each run. @param nameOf names an id */
function fixed(text: string, day: string, nameOf: (id: string) => string): string {
  const timeOf = (time: string): string => {
    const daysFromNow = Math.round((Date.parse(time) - Date.now()) / 86_400_000);
    return daysFromNow === 0 ? 'TIME' : `TIME+${daysFromNow}d`;
  };
  return text
    .replaceAll(new RegExp(uuid, 'g'), nameOf)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z/g, timeOf)
    .replaceAll(day, 'TODAY')
    .replaceAll(/[0-9a-f]{64}/g, 'HASH')
    .replaceAll(/ppk_[\w-]{43}/g, 'KEY')
    .replaceAll(/eyJ[\w.-]+/g, 'TOKEN')
    .replaceAll(`"version":"${version}"`, '"version":"VERSION"')
    .replaceAll(/"os_user":"[^"]+"/g, '"os_user":"USER"');
}

/** Runs a session in a folder of its own. */
async function transcript(session: string, kind: DatabaseKind): Promise<string> {
  process.chdir(newFolder());
  const address = await newMigratedDatabase(kind);
  // As the default and as the variable, so that no suggested command names it.
  if (kind === 'SQLite') await copyFile(address, settings.database.default);
  else process.env.PRODUCT_PASSPORT_DATABASE = address;

  let made = '';
  const ids: string[] = [];
  const nameOf = (id: string): string => `ID${ids.includes(id) ? ids.indexOf(id) + 1 : ids.push(id)}`;
  async function run(line: string): Promise<string> {
    const words = line.replace(' ID', ` ${made}`);
    // Templates have days of their own.
    const day = words.startsWith('template ') ? 'no day' : dayOf(new Date());
    const { code, stdout, stderr } = await runHere(`product-passport ${words}`);
    if (/ (create|add) /.test(words)) made = uuid.exec(stdout + stderr)?.[0] ?? made;
    const ending = code === 0 ? '' : `[${code}]\n`;
    return fixed(`$ ${words}\n${stdout}${stderr.replaceAll(/^(?=.)/gm, '! ')}${ending}`, day, nameOf).trimEnd();
  }

  const printed: string[] = [];
  for (const line of session.trim().split(/\n */)) {
    const [, file, text = ''] = /^> (\S+) ?(.*)$/.exec(line) ?? [];
    if (file !== undefined) await writeFile(file, JSON.parse(`"${text.replaceAll('"', '\\"')}"`));
    printed.push(/^(?:[>#]|$)/.test(line) ? line : await run(line));
  }
  delete process.env.PRODUCT_PASSPORT_DATABASE;
  return `\n${printed.join('\n')}\n`;
}

test.each(Object.entries(sessions))('%s', async (_name, lines) => {
  const printed = await transcript(lines, 'SQLite');
  expect(await transcript(lines, 'PostgreSQL')).toBe(printed);
  expect(printed).toMatchSnapshot();
});
