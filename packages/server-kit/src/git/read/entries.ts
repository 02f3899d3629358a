/**
 * The entries of a list in which each ends with a separator. What follows the last separator is nothing, or half an entry
 * where the output was cut: either way it is none.
 */
export function entriesOf(text: string, separator = '\0'): readonly string[] {
  return text.split(separator).slice(0, -1)
}
