/**
 * Where a program called the SDK. An ArgumentError is created deep inside the SDK, often after the call has returned.
 * Its own stack would not contain the line of the program that has to be changed.
 */
export interface CallSite {
  readonly stack: string | undefined;
}

/**
 * The site of the running call. Its stack is captured on the first access, because capturing it in every call would
 * take longer than everything else before the request. Access it while the call runs.
 */
export let callSite: CallSite | undefined;

/**
 * Begins a call of the public function `entry`, and returns a function that ends it. The SDK's own functions call each
 * other; the outermost call counts. A wrapper `return around(work)` would not do: it is a tail call, which leaves no
 * frame of `entry` on the stack of JavaScriptCore.
 */
export function enter(entry: object): () => void {
  const outer = callSite;
  callSite ??= {
    get stack() {
      const site: { stack?: string } = {};
      // Not every runtime has `captureStackTrace`, and TypeScript has a type for Node's only.
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

/** Makes every method of an object, and of its groups of methods, record its call site. */
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
