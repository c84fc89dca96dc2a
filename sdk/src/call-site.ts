/**
 * Where a program called the SDK. An ArgumentError is made deep inside the SDK, and often after the call has returned:
 * its own stack would not have the line of the program that has to be changed.
 */
export interface CallSite {
  readonly stack: string | undefined;
}

/**
 * The site of the call that is running. Its stack is captured when it is read: in every call, that would take longer than
 * all else that a call does before it sends. Read it while the call runs.
 */
export let callSite: CallSite | undefined;

/**
 * Begins a call of the public function `entry`, and returns what ends it. The SDK's own functions call each other: the
 * outermost call counts. Not a function around the work: `return around(work)` is a tail call, and where those leave no
 * frame (JavaScriptCore) `entry` would not be on the stack.
 */
export function enter(entry: object): () => void {
  const outer = callSite;
  callSite ??= {
    get stack() {
      const site: { stack?: string } = {};
      // Not every runtime has it, and TypeScript knows only Node's.
      (Error as { captureStackTrace?: (target: object, entry: object) => void }).captureStackTrace?.(site, entry);
      return site.stack;
    },
  };
  return () => {
    callSite = outer;
  };
}

/** Runs `work` for a call that has returned. */
export function runFor<Value>(site: CallSite | undefined, work: () => Value): Value {
  const outer = callSite;
  callSite ??= site;
  try {
    return work();
  } finally {
    callSite = outer;
  }
}

/** Makes every method of an object, and of its groups of methods, a public function. */
export function locateMethods<Methods extends object>(methods: Methods): Methods {
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === 'object') locateMethods(method);
    if (typeof method !== 'function') continue;
    const entry = (...args: unknown[]) => {
      const leave = enter(entry);
      try {
        return method(...args);
      } finally {
        leave();
      }
    };
    Reflect.set(methods, name, entry);
  }
  return methods;
}
