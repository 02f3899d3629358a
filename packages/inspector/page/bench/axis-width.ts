/** Of the font of the axes, at most. */
const characterPixels = 7.5
/** Between a mark and the plot. */
const ticksPixels = 22
const minPixels = 44

/** How wide an axis must be so that none of its marks is cut. */
export function axisWidth(marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map((mark) => mark.length))
  return Math.max(minPixels, longest * characterPixels + ticksPixels)
}
