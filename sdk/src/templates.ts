/**
 * `@product-passport/sdk/templates`: the fields of each product group, and what follows from them: checks before a write,
 * the missing fields, how many passports are ready, and a passport in words. The templates are those of the reference
 * server. It sends no requests. A program bundles only the groups that it imports.
 */
export type { FieldType, TemplateField, TemplatePart } from '../../openapi/src/rules/check.ts';
export type {
  CategoryCount,
  CountedPassport,
  DataPoint,
  DataPointList,
  Readiness,
  RequirementCount,
  Rule,
} from '../../openapi/src/rules/completeness.ts';
export {
  type Check,
  type CheckOptions,
  checkFor,
  checkValues,
  type DayOption,
  type Finding,
  type Measure,
  type Members,
  type Template,
} from './check.ts';
export * from './generated/templates.ts';
export {
  labelOf,
  type MissingField,
  missing,
  readiness,
  type ShownField,
  type ShownSection,
  show,
  type Words,
} from './show.ts';
