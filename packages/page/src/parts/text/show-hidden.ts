/** Controls, marks of direction, characters without width, tags: what changes how text reads and cannot be seen. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
/** They make one picture or letter of several, and stay where they do. */
const joiners =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}\p{Lo}])[\u200c\u200d](?=[\p{Extended_Pictographic}\p{Lo}])/gu

/** Text of a stranger in one direction: what cannot be seen is written out, as `‹U+202E›`. */
export function showHidden(text: string): string {
  const needed = new Set([...text.matchAll(joiners)].map(({ index }) => index))
  return text.replaceAll(hidden, (letter: string, offset: number) => {
    if (needed.has(offset)) return letter
    const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `‹U+${code}›`
  })
}
