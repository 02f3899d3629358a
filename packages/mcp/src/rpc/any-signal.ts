/**
 * A signal that aborts with the first of the given ones; `undefined` and `null` stand for none. Unlike with
 * `AbortSignal.any`, one from `AbortSignal.timeout` counts in any case: Node 20 may collect it as garbage, and it would
 * never abort.
 */
export function anySignal(
  first: AbortSignal,
  ...others: readonly (AbortSignal | null | undefined)[]
): AbortSignal {
  const sources = [first, ...others.filter((other) => !!other)]
  if (!sources[1]) return first
  // oxlint-disable-next-line eslint/no-restricted-properties
  return Object.assign(AbortSignal.any(sources), { sources }) // so they live as long as it does
}
