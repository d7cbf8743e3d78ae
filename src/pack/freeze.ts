/** Freezes a value and everything in it; gives it back. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  if (value instanceof Map) for (const member of value.values()) deepFreeze(member);
  return Object.freeze(value);
}
