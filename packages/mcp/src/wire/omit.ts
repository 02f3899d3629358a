/** A copy without some members; the object itself when it has none of them. */
export function omit<T extends object>(value: T, keys: readonly string[]): T {
  if (!keys.some((key) => key in value)) return value
  // Only optional members are ever named, so what is left is still a `T`.
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as T
}
