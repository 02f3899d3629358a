/** How much of a text is looked at. */
const lookedAt = 20_000

/** Each is enough by itself, except for lists: one dash makes no list. */
const marks: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^ {0,3}> \S/m,
  /\*\*[^\s*][^*\n]{0,200}\*\*/,
  /`[^`\n]{1,200}`/,
  /\[[^[\]\n]{1,200}\]\([^()\s]{1,500}\)/,
  /^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|/m,
]
const listItem = /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/gm

/** Whether a text that nobody calls Markdown was probably written as such. */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, lookedAt)
  return marks.some((mark) => mark.test(start)) || (start.match(listItem)?.length ?? 0) > 1
}
