/**
 * Characters that a reader does not see and a model does: controls, marks of direction, letters without a shape, tags and
 * other invisible planes. Line breaks and tabs stay, and joiners, which scripts and emoji need.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu

/** The text without what nobody sees, and how many characters that were. */
export function withoutHidden(text: string): { readonly text: string; readonly count: number } {
  let count = 0
  const clean = text.replaceAll(hidden, () => {
    count += 1
    return ''
  })
  return { text: clean, count }
}
