import type { ConsentQuestion } from '@parley/host'

/**
 * Returns the calls that are ticked before anyone looked: all but those that their server calls destructive and, after
 * untrusted content, those that it calls outward. The line is the one that rules draw for wide permissions.
 */
export function tickedAtFirst(
  calls: readonly Pick<ConsentQuestion, 'call'>[],
): ReadonlySet<number> {
  const isUntrusted = calls.some(({ call }) => call.flow.untrusted)
  return new Set(
    calls.flatMap(({ call: { tool } }, at) => {
      const { destructiveHint = false, openWorldHint = false } = tool.annotations ?? {}
      return destructiveHint || (isUntrusted && openWorldHint) ? [] : [at]
    }),
  )
}
