import { closest } from '@product-passport/openapi';
import type Joi from 'joi';
import { OperatorError } from '../operator-error.ts';
import { type Format, loadJoi } from './formats.ts';
import { type Configuration, type Setting, type SettingName, settingNames, settings, variableOf } from './settings.ts';

/** Where a value comes from: `default`, or the name of its option or variable. */
type Source = 'default' | (string & {});

/** A text that was given for a setting, and the name of its option or variable. */
export interface Given {
  text: string;
  source: Source;
}

export interface EffectiveConfiguration {
  values: Configuration;
  sources: Record<SettingName, Source>;
}

/** Names every mistake of a configuration, and what to do about it. It holds no secret. */
function refuse(mistakes: string[]): never {
  const [first = ''] = mistakes;
  const lines = [`the configuration has ${mistakes.length} mistakes:`, ...mistakes.map((mistake) => `  ${mistake}`)];
  throw new OperatorError(mistakes.length === 1 ? first : lines.join('\n'), 2);
}

/**
 * Reads and checks every setting.
 *
 * @param given what was given for a setting, if anything
 * @throws OperatorError
 */
export function readConfiguration(given: (name: SettingName) => Given | undefined): EffectiveConfiguration {
  const found = new Map(settingNames.map((name) => [name, given(name)]));
  const texts = Object.fromEntries([...found].map(([name, one]) => [name, one?.text]));
  const { value: values, error } = schemaOfAll().validate(texts, { abortEarly: false });
  if (error) {
    // A text may break several rules of its format.
    const names = new Set(error.details.map(({ path: [name] }) => name as SettingName));
    refuse([...names].map((name) => mistakeIn(settings[name], found.get(name))));
  }
  const contradictions = contradictionsIn(values);
  if (contradictions.length > 0) refuse(contradictions);
  const sources = Object.fromEntries([...found].map(([name, one]) => [name, one?.source ?? 'default']));
  return { values, sources } as EffectiveConfiguration;
}

function schemaOfAll(): Joi.ObjectSchema<Configuration> {
  const joi = loadJoi();
  const members = settingNames.map((name) => {
    const { format, default: fallback }: Setting<unknown> = settings[name];
    return [name, fallback === undefined ? format.schema(joi) : format.schema(joi).default(fallback)];
  });
  return joi.object(Object.fromEntries(members));
}

function mistakeIn({ format, isSecret }: Setting<unknown>, { text = '', source = '' }: Partial<Given> = {}): string {
  return `${source}${isSecret ? ':' : ` is ${JSON.stringify(text)}.`} ${format.hint(text)}`;
}

/** Mistakes that no setting has alone. */
function contradictionsIn({ lockTimeout, statementTimeout, port, adminPort }: Configuration): string[] {
  const mistakes: string[] = [];
  if (adminPort === port && port !== 0) {
    mistakes.push(`--admin-port and --port are both ${port}. Choose another --admin-port.`);
  }
  if (lockTimeout > statementTimeout) {
    mistakes.push(
      '--lock-timeout is longer than --statement-timeout. Use a shorter one: waiting is a part of the statement.',
    );
  }
  return mistakes;
}

/** The value of a setting as text, without its secret parts; undefined if it has none. */
export function shownValue(name: SettingName, values: Configuration): string | undefined {
  const { format } = settings[name] as { format: Format<unknown> };
  const value = values[name];
  return value === undefined ? undefined : (format.show ?? String)(value);
}

const prefix = 'PRODUCT_PASSPORT_';

/** Variables of other commands and programs, which often run with the same environment. */
const otherVariables = /^PRODUCT_PASSPORT_(?:URL|TENANT|PROVIDER|(?:[A-Z]+_)?(?:KEY|TOKEN))$/;

/** A sentence about each variable of the environment that looks like a setting but is not one. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = settingNames.map(variableOf);
  const short = (name: string) => name.replace(prefix, '');
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherVariables.test(name))
    .map((name) => {
      const near = closest(short(name), known.map(short));
      const meant = known.find((one) => short(one) === near);
      const hint = meant === undefined ? 'Unset it.' : `Did you mean ${meant}?`;
      return `The environment variable ${name} has no effect: no setting has this name. ${hint}`;
    });
}
