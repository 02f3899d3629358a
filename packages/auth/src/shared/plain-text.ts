/** A stranger's words for a message of ours: one line of visible characters, cut where it gets long. */
export function plainText(text: string, maxLength = 300): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`
}
