/** What differs between two texts, for people: whole lines, in order. */

const most = 60

/**
 * Lines that are only in one of the texts, with `-` or `+` before them.
 *
 * @param {string} before
 * @param {string} after
 * @returns {string[]}
 */
export function changedLines(before, after) {
  const removed = linesOnlyIn(before, after).map((line) => `- ${line}`)
  const added = linesOnlyIn(after, before).map((line) => `+ ${line}`)
  const lines = [...removed, ...added]
  if (lines.length === 0) return ['the same lines in another order']
  if (lines.length <= most) return lines
  return [...lines.slice(0, most), `… and ${lines.length - most} more lines`]
}

/** @param {string} text @param {string} other */
function linesOnlyIn(text, other) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
}
