/** A Redocly plugin with the project's rules, so that one command checks the whole contract. */
import { rootOf } from '@product-passport/openapi';
import { type Rule, rules } from './rules.ts';

interface Location {
  child(steps: readonly string[]): Location;
}

interface Context {
  readonly location: Location;
  report(problem: { readonly message: string; readonly location: Location }): void;
}

function asVisitor(rule: Rule) {
  return () => ({
    Root: {
      enter(document: object, context: Context): void {
        for (const { at, message } of rule(rootOf(document))) {
          context.report({ message, location: context.location.child(at.steps) });
        }
      },
    },
  });
}

export default function contractRules() {
  const visitors = Object.entries(rules).map(([name, rule]) => [name, asVisitor(rule)]);
  return { id: 'contract', rules: { oas3: Object.fromEntries(visitors) } };
}
