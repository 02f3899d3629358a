/** The name of a setting, taken apart. */
export interface SettingKey {
  readonly section: string
  /** Between the first and the last dot; undefined if that is the same dot. */
  readonly middle: string | undefined
  readonly name: string
}

/**
 * Takes the name of a setting apart, as git does: the ends have no case, and what is between them may be anything, also
 * nothing at all.
 */
export function parseSettingKey(key: string): SettingKey {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  return {
    section: key.slice(0, first).toLowerCase(),
    middle: first === last ? undefined : key.slice(first + 1, last),
    name: key.slice(last + 1).toLowerCase(),
  }
}
