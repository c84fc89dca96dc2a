import type { Plugin } from '@hapi/hapi';
import { preferredType, StaticContent } from '../http/representation.ts';
import { servePublic } from '../http/routes.ts';
import { queryOf } from '../http/target.ts';
import { fill, type Label, type Language, labelAt, languageOf, texts, wordsOf } from '../languages/languages.ts';
import { type TemplateField, templateKeys, templateOf } from '../templates/catalogue.ts';
import { unitIn } from './basis.ts';
import { translations } from './page.ts';
import { pageHeaders, pageVary, type Render } from './rendering.ts';
import { presenterOf } from './values.ts';

/** Where the `dpp:` terms of the JSON-LD documents lead to. */
const namespacePath = '/ns/dpp';

const documentTerms = Object.keys(wordsOf('en').terms);

/** The fields of all templates, with the groups that have them. A field of several templates has the options of all of them. */
function fieldsOfAll() {
  const found = new Map<string, TemplateField & { groups: string[] }>();
  for (const group of templateKeys) {
    for (const field of templateOf(group).fields) {
      const { groups = [], options = [] } = found.get(field.key) ?? {};
      const own = field.options ?? field.codes;
      const more = own?.filter(({ code }) => options.every((option) => option.code !== code)) ?? [];
      const label = Object.hasOwn(wordsOf('en').fields, field.key) ? labelAt('fields', field.key) : field.label;
      found.set(field.key, { ...field, label, options: [...options, ...more], groups: [...groups, group] });
    }
  }
  return [...found.values()];
}

const groupKey = (group: string) => `group-${group}`;
const optionKey = (field: string, code: string) => `${field}-${code}`;

/** The vocabulary as a page in one language. */
function namespacePage(language: Language) {
  const text = texts[language];
  const presenter = presenterOf(language);
  const { terms } = wordsOf(language);
  // The key of a term is the fragment of its address.
  const plain = (key: string, words: string) => ({ key, text: words, notes: [], options: [] });
  const fields = fieldsOfAll();
  const titleOf = (group: string) => presenter.label(templateOf(group).title);
  return {
    language,
    text,
    title: text.namespace.title,
    translations: translations(),
    sections: [
      {
        key: 'terms',
        title: text.namespace.terms,
        terms: documentTerms.map((key) => plain(key, terms[key] ?? '')),
      },
      {
        key: 'groups',
        title: text.namespace.groups,
        terms: templateKeys.map((group) => ({
          ...plain(groupKey(group), titleOf(group)),
          href: `/docs/fields/${group}`,
        })),
      },
      {
        key: 'fields',
        title: text.namespace.fields,
        terms: fields.map(({ key, label, unit, groups, options = [] }) => ({
          key,
          text: presenter.label(label),
          notes: [
            ...(unit === null ? [] : [fill(text.namespace.unit, { unit: unitIn(unit, language) })]),
            fill(text.namespace.usedBy, { groups: groups.map(titleOf).join(', ') }),
          ],
          options: options.map(({ code, label: option }) => ({
            key: optionKey(key, code),
            code,
            text: presenter.label(option),
          })),
        })),
      },
    ],
  };
}

/** The vocabulary as JSON-LD, with the labels of all languages. */
function namespaceDocument(siteUrl: string): object {
  const namespace = `${siteUrl}${namespacePath}`;
  const fields = fieldsOfAll();
  const term = (key: string) => `dpp:${key}`;
  const scheme = (field: string) => term(optionKey(field, 'values'));
  return {
    '@context': {
      dpp: `${namespace}#`,
      rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      owl: 'http://www.w3.org/2002/07/owl#',
      skos: 'http://www.w3.org/2004/02/skos/core#',
      schema: 'http://schema.org/',
      label: { '@id': 'rdfs:label', '@container': '@language' },
      comment: { '@id': 'rdfs:comment', '@container': '@language' },
      prefLabel: { '@id': 'skos:prefLabel', '@container': '@language' },
      isDefinedBy: { '@id': 'rdfs:isDefinedBy', '@type': '@id' },
      subClassOf: { '@id': 'rdfs:subClassOf', '@type': '@id' },
      inScheme: { '@id': 'skos:inScheme', '@type': '@id' },
      domainIncludes: { '@id': 'schema:domainIncludes', '@type': '@id' },
      rangeIncludes: { '@id': 'schema:rangeIncludes', '@type': '@id' },
    },
    '@graph': [
      { '@id': namespace, '@type': 'owl:Ontology', label: labelAt('page', 'namespace', 'title') },
      ...documentTerms.map((key) => ({
        '@id': term(key),
        '@type': 'rdf:Property',
        isDefinedBy: namespace,
        'rdfs:label': key,
        comment: labelAt('terms', key),
      })),
      ...templateKeys.map((group) => ({
        '@id': term(groupKey(group)),
        '@type': 'rdfs:Class',
        isDefinedBy: namespace,
        subClassOf: 'schema:Product',
        'schema:identifier': group,
        label: templateOf(group).title,
      })),
      ...fields.map(({ key, label, unit, groups, options = [] }) => ({
        '@id': term(key),
        '@type': 'rdf:Property',
        isDefinedBy: namespace,
        'schema:propertyID': key,
        label,
        ...(unit === null ? {} : { 'schema:unitText': unit }),
        domainIncludes: groups.map((group) => term(groupKey(group))),
        ...(options.length === 0 ? {} : { rangeIncludes: scheme(key) }),
      })),
      ...fields.flatMap(({ key, label, options = [] }) => [
        ...(options.length === 0
          ? []
          : [{ '@id': scheme(key), '@type': 'skos:ConceptScheme', isDefinedBy: namespace, label }]),
        ...options.map(({ code, label: option }: { code: string; label: Label }) => ({
          '@id': term(optionKey(key, code)),
          '@type': 'skos:Concept',
          inScheme: scheme(key),
          'skos:notation': code,
          prefLabel: option,
        })),
      ]),
    ],
  };
}

/** How long clients may use the vocabulary before they ask again. It changes only with a new release. */
const cacheControl = 'public, max-age=3600';

/** Serves the vocabulary of the JSON-LD documents: a page for readers, JSON-LD for everybody else. */
export const namespacePlugin: Plugin<{ siteUrl: () => string; render: Render }> = {
  name: 'namespace',
  register(server, { siteUrl, render }) {
    /** By address and language. The address of a server is known once it listens. */
    const made = new Map<string, StaticContent>();
    const once = (key: string, make: () => StaticContent): StaticContent => {
      const result = made.get(key) ?? make();
      made.set(key, result);
      return result;
    };

    servePublic(
      server,
      namespacePath,
      async (request, h) => {
        const { accept, 'accept-language': acceptLanguage } = request.raw.req.headers;
        const type = preferredType(accept, ['application/ld+json', 'application/json', 'text/html']);
        if (type === 'text/html') {
          const language = languageOf(queryOf(request).values.get('lang') ?? undefined, acceptLanguage);
          const page = once(language, () => new StaticContent(type, render('namespace', namespacePage(language))));
          return page.respond(request, h, { ...pageHeaders(language), 'cache-control': cacheControl });
        }
        const address = siteUrl();
        const vocabulary = () => JSON.stringify(namespaceDocument(address));
        const document = once(address, () => new StaticContent('application/ld+json', vocabulary()));
        return document.respond(request, h, { vary: pageVary, 'cache-control': cacheControl });
      },
      'json',
    );
  },
};
