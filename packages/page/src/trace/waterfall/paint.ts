/** The page's colours for a canvas, which knows no custom properties. */
export interface Palette {
  readonly accent: string
  readonly bad: string
  readonly warning: string
  readonly good: string
  readonly info: string
  readonly quiet: string
  readonly line: string
  readonly text: string
  readonly surface: string
  readonly accentGround: string
}

/** Reads the colours where an element stands: light, dark or forced. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    accent: read('--accent'),
    bad: read('--bad'),
    warning: read('--warning'),
    good: read('--good'),
    info: read('--info'),
    quiet: read('--text-quiet'),
    line: read('--line'),
    text: read('--text'),
    surface: read('--surface'),
    accentGround: read('--accent-ground'),
  }
}

/** A canvas as sharp as the screen; returns what to draw with, in CSS pixels. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const scale = window.devicePixelRatio || 1
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  const context = canvas.getContext('2d') ?? undefined
  context?.setTransform(scale, 0, 0, scale, 0, 0)
  context?.clearRect(0, 0, width, height)
  return context
}
