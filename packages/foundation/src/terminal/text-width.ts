/** How many columns a text takes. Escape sequences of ours, for colours, take none. */
export function textWidth(text: string): number {
  // oxlint-disable-next-line no-control-regex
  const plain = text.includes('\u001b') ? text.replaceAll(/\u001b\[[\d;]*m/g, '') : text
  if (/^[\u0020-\u007e]*$/.test(plain)) return plain.length
  let width = 0
  for (const { segment } of segmentsOf(plain)) width += widthOf(segment)
  return width
}

let segmenter: Intl.Segmenter | undefined

/** Made when it is first needed: it costs more than all the rest of a short program. */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

function widthOf(segment: string): number {
  if (/^\p{Mark}+$/u.test(segment)) return 0
  return wide.test(segment) ? 2 : 1
}

/** Ideographs, syllables, full-width forms, and pictures. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u

/** Cuts a text to the width, with a mark at the cut. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let result = ''
  let used = 0
  for (const { segment } of segmentsOf(text)) {
    const next = widthOf(segment)
    if (used + next > width - 1) break
    result += segment
    used += next
  }
  return `${result}…`
}

/** Filled up with spaces to a width. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'left' ? text + padding : padding + text
}

/** Lines of at most that width, broken between words where there are any. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)))
}

/** Every letter is measured once, however long the line is. */
function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  let used = 0

  function put(text: string, columns: number): void {
    if (used + columns > width && current !== '') {
      lines.push(current.trimEnd())
      current = ''
      used = 0
    }
    current += text
    used += columns
  }

  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    const columns = textWidth(word.trimEnd())
    if (columns <= width) put(word, columns)
    else for (const { segment } of segmentsOf(word)) put(segment, widthOf(segment))
    used += word.length - word.trimEnd().length
  }
  lines.push(current.trimEnd())
  return lines
}
