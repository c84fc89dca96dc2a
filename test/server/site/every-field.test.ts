/** Passports in which every field of the template has a value, compared whole. `npm test -- test/server/site/every-field -u` writes. */
import { beforeAll, expect, test } from '@jest/globals';
import { groupPages } from '../../../server/src/docs/templates.ts';
import { type Client, useService } from '../../support/service.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const service = useService('SQLite', { now: () => now, siteUrl: 'https://passport.example' });
const groups = groupPages('', () => '', '2026-11-20');

interface Document {
  additionalProperty: (Record<string, unknown> & { propertyID: string })[];
}

interface Passport {
  /** The page. The entry of a value has the key of its field instead of its place, which moves with each new field. */
  html: string;
  document: Document;
}

/** What inspectors see of each group's product: every field has the value of the reference. */
const passports = new Map<string, Passport>();

beforeAll(async () => {
  const client = await service.newTenant({ slug: 'shop', name: 'Laden GmbH', country: 'IE', language: 'en' });
  const token = await client.token('inspector', now);
  for (const group of groups) passports.set(group.key, await publish(client, token, group));
});

async function publish(client: Client, token: string, { key, sections }: (typeof groups)[number]): Promise<Passport> {
  const values = sections.flatMap(({ fields }) => fields.map(({ example }) => JSON.parse(example)));
  const path = await client.publish({ name: `Product ${key}`, product_group: key }, values);
  const [page, document] = await Promise.all(
    ['', '/jsonld'].map((end) => client.call({ path: path + end, query: { zugang: token }, key: null })),
  );
  const found = document?.json as Document;
  const html = page?.text
    .replaceAll(token, 'TOKEN')
    .replaceAll(/value-(\d+)/g, (_, place) => `value-${found.additionalProperty[place - 1]?.propertyID}`);
  return { html: html ?? '', document: found };
}

function passportOf(group: string): Passport {
  const passport = passports.get(group);
  if (!passport) throw new Error(`There is no group ${group}.`);
  return passport;
}

/** Random parts: ids, salts and hashes. */
const random = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{4}(?=…)/g;

/** A property on one line. */
const line = (property: object): string => JSON.stringify(property).replaceAll(random, 'RANDOM');

test.each(['battery', 'textile'])('the page and the document of a %s', (group) => {
  const { html, document } = passportOf(group);
  const script = /<script type="application\/ld\+json">(.*?)<\/script>/s;
  expect(JSON.parse(script.exec(html)?.[1] ?? '')).toEqual(document);
  // The stylesheet is a file, and other tests read the codes.
  const page = html.replace(script, '').replaceAll(/(<style>|<svg[^>]*>).*?(?=<\/(?:style|svg)>)/gs, '$1');
  expect(page.replaceAll(random, 'RANDOM')).toMatchSnapshot('page');
  const { additionalProperty, ...rest } = document;
  const members = Object.entries(rest).map(([name, value]) => line({ [name]: value }));
  expect([...members, ...additionalProperty.map(line)].join('\n')).toMatchSnapshot('document');
});

test('each field of every group, on the page and in the document', () => {
  const lines = groups.flatMap(({ key }) => {
    const { html, document } = passportOf(key);
    // An object has its members in elements of the same name.
    const entries = html.matchAll(/<(div|dd|a) id="value-(\w+)"[^>]*>((?:<\1>.*?<\/\1>|.)*?)<\/\1>/gs);
    const shown = new Map(Array.from(entries, ([, , field, entry]) => [field, entry]));
    return document.additionalProperty.map((property) => {
      const { propertyID, name, value, unitText, unitCode, 'dpp:accessLevel': level } = property;
      const members = JSON.stringify([name, value, unitText, unitCode, level]);
      return `${propertyID} | ${textOf(shown.get(propertyID))} | ${members}`;
    });
  });
  expect(lines.filter((each) => each.includes('NOT SHOWN'))).toEqual([]);
  expect([...new Set(lines)].sort().join('\n')).toMatchSnapshot();
});

function textOf(entry = 'NOT SHOWN'): string {
  return entry
    .replace(/<dd class="about">.*/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
