/** The API reference: pages for a browser, made from the contract. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  allBelow,
  below,
  type Contract,
  type ContractNode,
  codesOf,
  dayOf,
  errorIn,
  isRecord,
  keyword,
  type Operation,
  type Response,
  readContract,
  readDocument,
  rootOf,
} from '@product-passport/openapi';
import { Eta } from 'eta';
import { texts } from '../languages/languages.ts';
import { keyVariable, pythonCall, setUp } from './examples.ts';
import { type Describe, type Field, fieldsOf, inline, limitsOf, ownType, schemaName } from './fields.ts';
import { groupPage, groupsPage, type Links, overview, pageScript, schemas } from './links.ts';
import { coloured, escaped, markdownWith } from './markdown.ts';
import { type About, type Described, type Section, sectionOf } from './operations.ts';
import { groupPages } from './templates.ts';

const views = new URL('./views/', import.meta.url);

export interface DocsPage {
  /** As in its address: `products`. */
  name: string;
  heading: string;
  html: string;
  /** What the search finds on it. */
  entries: Entry[];
}

/** A part of a page, or the page if the `id` is empty. */
interface Entry {
  id: string;
  /** Default: the `id`. */
  name?: string;
  note?: string;
  /** Further words that find it. */
  also?: string;
}

/** A group of operations, which has a page. */
type Group = ReturnType<typeof groupsOf>[number];

/**
 * All pages, the overview first.
 *
 * @param siteUrl the address in the examples
 * @param day the day whose requirements the pages of the groups name
 */
export function docsPages(links: Links, siteUrl: string, day = dayOf(new Date())): DocsPage[] {
  const document = readDocument();
  const root = rootOf(document);
  const contract = readContract();
  const described = contract.operations.map((operation) => {
    return { operation, node: nodeAt(root, 'paths', operation.path, operation.method.toLowerCase()) };
  });
  const pageOf = new Map(described.map(({ operation, node }) => [operation.operationId, pageName(tagOf(node))]));
  const entries = codeEntries(contract);
  const codes = new Set(entries.map(({ code }) => code));
  const addressOfCode = (code: string): string => `${links.page(overview)}#${code}`;
  const addressOfOperation = (id: string): string | undefined => {
    const page = pageOf.get(id as Operation['operationId']);
    return page && `${links.page(page)}#${id}`;
  };
  const markdown = markdownWith(
    (name) => addressOfOperation(name) ?? (codes.has(name) ? addressOfCode(name) : undefined),
  );
  const describe: Describe = { markdown, addressOfSchema: (name) => `${links.page(schemas)}#${name}` };
  const about: About = { root, describe, siteUrl, addressOfCode, pageAddress: links.page };
  const groups = groupsOf(root, described, about);
  const info = infoOf(root);
  const templates = groupPages(siteUrl, sectionTitle, day);
  const eta = new Eta({ views: fileURLToPath(views), autoTrim: ['nl', false] });
  const common = {
    links,
    groups,
    schemaPage: schemas,
    coloured,
    groupsPage,
    templates,
    overviewPage: overview,
    title: info.title,
    version: info.version,
    siteUrl,
    keyVariable,
    pageScript,
    inline: (text: string) => inline(markdown, text),
    addressOfOperation,
  };
  const page = (
    name: string,
    view: string,
    content: { heading: string; lead: string; [part: string]: unknown },
    entries: Entry[] = [],
  ): DocsPage => {
    const html = eta.render(`./${view}`, { ...common, name, ...content });
    return { name, heading: content.heading, entries: [...headingsIn(html), ...entries], html };
  };
  const parts = partsOf(info.description);
  const start = {
    intro: markdown(parts[0]?.text ?? ''),
    parts: parts.slice(1).map(({ title, text }) => ({ id: pageName(title), title, text: markdown(text) })),
    authentication: markdown(String(keyword(nodeAt(root, 'components', 'securitySchemes', 'apiKey'), 'description'))),
    setUp: `${setUp(siteUrl)}\n\nconsole.log((await client.me.get()).tenant.name);`,
    python: pythonCall(siteUrl),
    firstCall: groups[0]?.sections[0]?.calls[0]?.text ?? '',
    limits: limitRows(groups),
    codes: entries,
  };
  const shapes = {
    schemas: allBelow(below(root, 'components', 'schemas')).map(([name, node]) => schemaOf(name, node, describe)),
    rules: Object.values(keyword(root, 'x-rules-for-providers') ?? {}).map((rule) => markdown(String(rule))),
    extensions: markdown(String(keyword(root, 'x-extensions'))),
  };
  return [
    page(
      overview,
      'overview',
      { heading: info.title, lead: escaped(info.summary), ...start },
      entries.map(({ code, status, message }) => ({ id: code, note: `${status} ${message}` })),
    ),
    ...groups.map((group) =>
      page(
        group.name,
        'group',
        { group, heading: group.title, lead: inline(markdown, group.description) },
        group.sections.map(operationEntry),
      ),
    ),
    page(groupsPage, 'templates', {
      heading: 'Product groups and fields',
      lead: 'What a passport should say, for each group of products.',
    }),
    ...templates.map((template) =>
      page(
        groupPage(template.key),
        'template',
        {
          group: template,
          heading: template.title,
          lead: `Product group <code>${template.key}</code>: ${template.total} fields, template version ${template.version}.`,
        },
        [
          { id: '', name: template.key, note: `Product group: ${template.title}` },
          ...template.bodies.flatMap(({ category, title }) =>
            title === undefined ? [] : [{ id: `body-${category}`, name: `Body for ${category}`, note: title }],
          ),
          ...template.sections.flatMap(({ fields }) => fields.map(({ key, label }) => ({ id: key, also: label.en }))),
        ],
      ),
    ),
    page(
      schemas,
      'schemas',
      { heading: 'Schemas', lead: 'The shapes of requests and responses.', ...shapes },
      shapes.schemas.map(({ name, fields }) => ({ id: name, note: namesOf(fields) })),
    ),
  ];
}

/** The search finds sections by their heading: not those of a product group, whose ids have numbers, as there are too many. */
function headingsIn(html: string): Entry[] {
  return [...html.matchAll(/<h2 id="([a-z-]+)">([^<]+)</g)].map(([, id = '', name = '']) => ({ id, name }));
}

function operationEntry({ id, summary, method, path, parameters, body }: Section): Entry {
  return {
    id,
    name: summary,
    note: [`${method} ${path}`, id, namesOf([...parameters, ...(body?.fields ?? [])])].join(' '),
  };
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ');

/** The title that a passport page gives a section. */
function sectionTitle(key: string): string {
  const titles: Readonly<Record<string, string>> = texts.en.sections;
  return titles[key] ?? key;
}

function nodeAt(root: ContractNode, ...steps: string[]): ContractNode {
  const node = below(root, ...steps);
  if (!node) throw new Error(`openapi.yaml has no ${steps.join('/')}.`);
  return node;
}

/** The first tag of an operation. */
function tagOf(node: ContractNode): string {
  const tags = keyword(node, 'tags');
  return Array.isArray(tags) ? String(tags[0]) : '';
}

/** `Data carriers` becomes `data-carriers`. */
function pageName(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function groupsOf(root: ContractNode, described: readonly Described[], about: About) {
  return allBelow(nodeAt(root, 'tags')).map(([, tag]) => {
    const title = String(keyword(tag, 'name'));
    const own = described.filter(({ operation, node }) => tagOf(node) === title && !operation.variantOf);
    return {
      name: pageName(title),
      title,
      description: String(keyword(tag, 'description')),
      sections: own.map((one) => sectionOf(one, described, about)),
    };
  });
}

function infoOf(root: ContractNode): Record<'title' | 'version' | 'summary' | 'description', string> {
  const info = nodeAt(root, 'info');
  const text = (name: string): string => String(keyword(info, name) ?? '');
  return { title: text('title'), version: text('version'), summary: text('summary'), description: text('description') };
}

/** The description of the API, split at its headings. The first part has no title. */
function partsOf(description: string): { title: string; text: string }[] {
  return description.split(/^## /m).map((part, index) => {
    if (index === 0) return { title: '', text: part };
    const end = part.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end) };
  });
}

/** The bounds of parameters and bodies, which a client must keep. */
function limitRows(groups: readonly Group[]) {
  const isBound = (limit: string): boolean => /^(?:at most|an array of|[\d,]+ to) /.test(limit);
  return groups.flatMap(({ sections }) =>
    sections.flatMap(({ id, parameters, body }) => {
      const fields: Pick<Field, 'name' | 'limits'>[] = [
        ...parameters,
        ...(body ? [{ name: 'body', limits: body.limits }, ...body.fields] : []),
      ];
      return fields.flatMap(({ name, limits }) => {
        const bounds = limits.filter(isBound);
        return bounds.length > 0 ? [{ operation: id, name, limits: bounds }] : [];
      });
    }),
  );
}

function schemaOf(name: string, node: ContractNode, describe: Describe) {
  const bases = allBelow(below(node, 'allOf')).flatMap(([, part]) => schemaName(part) ?? []);
  const properties = isRecord(keyword(node, 'properties')) || bases.length > 0;
  return {
    name,
    description: describe.markdown(String(keyword(node, 'description') ?? '')),
    type: properties ? '' : ownType(node, describe),
    bases: bases.map((base) => `<a href="${describe.addressOfSchema(base)}">${base}</a>`),
    limits: limitsOf(node, describe),
    fields: fieldsOf(node, describe),
  };
}

/** Every code once, by status. */
function codeEntries({ operations, outsideOperations }: Contract) {
  const main = operations.filter(({ variantOf }) => variantOf === undefined);
  const withKey = main.filter(({ side }) => side.secured).map(({ operationId }) => operationId);
  const listed = main.flatMap(({ operationId, responses }) =>
    occurrences(responses).map((found) => ({ ...found, operationId })),
  );
  const others = occurrences(outsideOperations).map((found) => ({ ...found, operationId: undefined }));
  const entries = [...Map.groupBy([...listed, ...others], ({ code }) => code)].flatMap(([code, found]) => {
    const [first] = found;
    if (!first) return [];
    const named = [...new Set(found.flatMap(({ operationId }) => operationId ?? []))];
    const isOfAll = withKey.every((id) => named.includes(id));
    return [
      {
        code,
        status: first.status,
        // What the service sends unless it can say more.
        message: found.find(({ message }) => message !== '')?.message ?? '',
        // In words, where many or no operations list the code.
        where: named.length === 0 ? 'Any request' : isOfAll ? 'Every operation with a key' : '',
        operations: isOfAll ? named.filter((id) => !withKey.includes(id)) : named,
      },
    ];
  });
  return entries.toSorted((a, b) => a.status.localeCompare(b.status));
}

function occurrences(
  responses: Readonly<Record<string, Response>>,
): { code: string; status: string; message: string }[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    codesOf(response).map((code) => ({ code, status, message: messageOf(response, code) })),
  );
}

/** The message in the response's example of the code. */
function messageOf({ content = {} }: Response, code: string): string {
  const examples = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  const errors = examples.map(({ value }) => errorIn(value));
  return errors.find((error) => error?.code === code)?.message ?? '';
}

/** The script of the search, which reads the index. */
const searchScript = readFileSync(new URL('./views/search.js', import.meta.url), 'utf8');

/** The file that a page loads when a reader begins to search. A field of several product groups is written once. */
export function searchFile(pages: readonly DocsPage[], linkOf: (page: string) => string): string {
  const searched = pages.filter(({ entries }) => entries.length > 0);
  const all = searched.flatMap(({ entries }, on) => entries.map((entry) => ({ ...entry, on })));
  const index = {
    pages: searched.map(({ name, heading }) => [linkOf(name), name === overview ? 'Overview' : heading]),
    entries: [
      ...Map.groupBy(all, ({ id, name, note, also }) => JSON.stringify([id, name, note, also])).values(),
    ].flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const { id, note, name, also } = first;
      return [[id, same.map(({ on }) => on), ...(note || name || also ? [note, name, also] : [])]];
    }),
  };
  return `const index = ${JSON.stringify(index)};\n${searchScript}`;
}
