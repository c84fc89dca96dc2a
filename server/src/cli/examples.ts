/** An example for the help of each command. The tests run them. */
import type { Command } from 'commander';
import { commandLine } from '../database/address.ts';

const shop = '--tenant my-shop';
const site = '--site-url https://passport.example.com';

/** By the names of the command. ID stands for an id that `list` prints. */
const examples: Readonly<Record<string, string>> = {
  serve: 'serve --demo',
  mock: 'mock --port 4010',
  migrate: 'migrate --status',
  'tenant create': "tenant create my-shop --name 'My Shop' --country DE",
  'tenant list': 'tenant list --json',
  'tenant show': 'tenant show my-shop',
  'tenant language': 'tenant language my-shop en',
  'tenant scans': 'tenant scans my-shop off',
  'tenant brand': "tenant brand my-shop --name 'My Shop' --logo logo.png --color '#0b4f55'",
  'tenant legal': 'tenant legal my-shop --imprint https://shop.example/imprint --privacy https://shop.example/privacy',
  'tenant open-list': 'tenant open-list my-shop',
  'tenant close-list': 'tenant close-list my-shop',
  'key create': `key create ${shop} --label inventory`,
  'key list': `key list ${shop}`,
  'key revoke': `key revoke ID ${shop}`,
  'product create': `product create usb-c-kabel ${shop} --name 'USB-C-Kabel' --product-group cable --gtin 9520001000072`,
  'product list': `product list ${shop} --status draft`,
  'product show': `product show usb-c-kabel ${shop} ${site}`,
  'product activate': `product activate --all-complete ${shop} --dry-run`,
  'product image set': `product image set usb-c-kabel cable.jpg ${shop} --alt 'Rolled up black cable'`,
  'product image remove': `product image remove usb-c-kabel ${shop}`,
  'product archive': `product archive usb-c-kabel ${shop}`,
  'passport set': `passport set usb-c-kabel values.json ${shop}`,
  'passport unset': `passport unset usb-c-kabel cable_length --yes ${shop}`,
  'registry list': `registry list ${shop} --status ready`,
  'registry set': `registry set usb-c-kabel ready ${shop}`,
  'template list': 'template list',
  'template show': 'template show textile',
  'token create': `token create usb-c-kabel ${shop} --role inspector --days 30`,
  'token list': `token list ${shop}`,
  'token revoke': `token revoke ID ${shop}`,
  'token rotate-secret': 'token rotate-secret --revoke-old --yes',
  'version withhold': `version withhold usb-c-kabel 1 --yes ${shop}`,
  'carrier add': `carrier add usb-c-kabel ${shop} --type qr ${site}`,
  'carrier list': `carrier list usb-c-kabel ${shop} ${site}`,
  'carrier deprecate': `carrier deprecate ID ${shop} ${site}`,
  'carrier withdraw': `carrier withdraw ID ${shop} ${site}`,
  'carrier image': `carrier image usb-c-kabel ${shop} ${site} --output label.svg`,
  'carrier sheet': `carrier sheet usb-c-kabel ${shop} --copies 24 ${site} --output labels.html`,
  config: 'config --rate-limit 600',
  backup: 'backup monday.backup',
  restore: 'restore monday.backup --database restored.sqlite',
  'check-hashes': 'check-hashes --tenant my-shop',
  export: `export my-shop.jsonl ${shop}`,
  import: 'import my-shop.jsonl --database other.sqlite',
  stats: 'stats',
  'scan delete': `scan delete ${shop} --product usb-c-kabel --yes`,
  'scan confirm-clock': 'scan confirm-clock',
  audit: 'audit --since 2026-01-01 --limit 20',
  'demo fill': 'demo fill --products 1000 --tenant many',
};

/** Adds the examples to the help of the commands below one. */
export function addExamples(parent: Command, above = ''): void {
  for (const command of parent.commands) {
    const path = `${above}${command.name()}`;
    const example = examples[path];
    if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${commandLine(example)}`);
    addExamples(command, `${path} `);
  }
}
