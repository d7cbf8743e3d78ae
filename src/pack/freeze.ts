function refuse(): never {
  throw new TypeError("A pack cannot be changed.");
}

/** Freezes a value and everything in it, maps included; gives it back. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  if (value instanceof Map) {
    for (const member of value.values()) deepFreeze(member);
    // Freezing an object leaves the entries of a map open.
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
  }
  return Object.freeze(value);
}
