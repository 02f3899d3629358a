/** Many patterns in use escape more than the `u` flag allows; those get the older rules. Returns undefined when the pattern is invalid. */
export function createExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Tried with the older rules next, and then refused.
    }
  }
  return undefined
}
