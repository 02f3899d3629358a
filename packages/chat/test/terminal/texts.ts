import type { Line } from '../../src/terminal/line.ts'

/** Lines as text, to be compared. */
export function textOf(lines: readonly Line[]): string {
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
}
