/** Whether a search stands in the list of tools instead of the tools themselves. */
export interface SearchSettings {
  /** `auto`: where a caller would see more tools than `above`. */
  readonly mode: 'auto' | 'on' | 'off'
  /** @defaultValue 100 */
  readonly above?: number | undefined
  /** Tools that stay in the list beside the search, by the names that clients use. @defaultValue none */
  readonly pinned?: readonly string[] | undefined
}

/** A list of so many tools is about what models still choose well from. */
export const usualThreshold = 100

/** Tools that a caller may see before the search is offered; undefined where it never is. */
export function thresholdOf({ mode, above }: SearchSettings): number | undefined {
  switch (mode) {
    case 'on':
      return 0
    case 'off':
      return undefined
    case 'auto':
      return above ?? usualThreshold
  }
}
