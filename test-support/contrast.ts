import type { Frame } from 'playwright-core'

/**
 * Runs in the page, on the texts inside of what the selector names. axe looks for what lies below each text point by
 * point, for half a second; here a text lies on the elements it is in, and on their siblings that are drawn before them.
 */
const script = `(selector) => {
  const styles = new Map()
  const styleOf = (element) => {
    if (!styles.has(element)) {
      const { backgroundColor, backgroundImage, color, fontSize, fontWeight, opacity, position, visibility } = getComputedStyle(element)
      const size = parseFloat(fontSize)
      styles.set(element, {
        background: read(backgroundColor),
        color: read(color),
        hasPicture: backgroundImage !== 'none',
        isLarge: size >= 24 || (size >= 18.66 && fontWeight >= 700),
        isPlaced: position === 'absolute',
        isVisible: visibility === 'visible',
        opacity: Number(opacity),
      })
    }
    return styles.get(element)
  }

  /** Red, green, blue and alpha, from 0 to 1. A canvas knows every way to write a colour. */
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colours = new Map()
  const read = (text) => {
    if (!colours.has(text)) {
      const [, numbers] = /^rgba?\\((.*)\\)$/.exec(text) ?? []
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = text
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue, alpha] = numbers?.match(/[\\d.]+/g).map(Number) ?? canvas.getImageData(0, 0, 1, 1).data
      colours.set(text, [red / 255, green / 255, blue / 255, numbers === undefined ? alpha / 255 : (alpha ?? 1)])
    }
    return colours.get(text)
  }

  /** What is drawn below an element by its siblings, such as the mark of the segment that is picked. */
  const siblings = new Map()
  const drawnBefore = (element, { left, right, top, bottom }) => {
    const { parentElement: parent } = element
    if (parent !== null && !siblings.has(parent)) {
      siblings.set(parent, [...parent.children].filter((one) => styleOf(one).isPlaced && styleOf(one).background[3] > 0))
    }
    return (siblings.get(parent) ?? []).filter((one) => {
      const box = one.getBoundingClientRect()
      const isBefore = (one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
      return isBefore && box.left <= left && box.right >= right && box.top <= top && box.bottom >= bottom
    })
  }

  /** All that an element lies on, itself last; undefined where that is a picture. */
  const layersOf = (element) => {
    const box = element.getBoundingClientRect()
    const layers = []
    let isCovered = false
    for (let at = element; at !== null; at = at.parentElement) {
      for (const one of [at, ...drawnBefore(at, box)]) {
        const { background, hasPicture } = styleOf(one)
        if (hasPicture && !isCovered) return undefined
        isCovered ||= background[3] === 1
        layers.unshift(styleOf(one))
        if (one !== at) layers[0] = { ...styleOf(one), isBeside: true }
      }
    }
    return layers
  }

  const mix = (below, above, share) => below.map((value, at) => value + (above[at] - value) * share)
  const paint = ([layer, ...rest], color, backdrop) => {
    const { background, isBeside, opacity } = layer
    const ground = mix(backdrop, background, background[3])
    if (isBeside) return paint(rest, color, mix(backdrop, ground, opacity))
    const inner = rest.length > 0 ? paint(rest, color, ground) : mix(ground, color, color[3])
    return mix(backdrop, inner, opacity)
  }
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  const hasText = (element) =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value.trim().length > 1 && !/^(checkbox|color|hidden|image|radio|range)$/.test(element.type)
      : [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1)
  const isLeftOut = (element) =>
    element.closest('[inert], :disabled, [aria-disabled=true], svg, option') !== null ||
    element.closest('label')?.control?.disabled === true
  const { colorScheme } = getComputedStyle(document.documentElement)
  const canvasColour = read(colorScheme === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)').slice(0, 3)

  const found = []
  for (const element of document.querySelectorAll(selector + ', :is(' + selector + ') *')) {
    if (!hasText(element) || isLeftOut(element)) continue
    const { width, height } = element.getBoundingClientRect()
    const { color, isLarge, isVisible } = styleOf(element)
    const layers = isVisible && width > 1 && height > 1 ? layersOf(element) : undefined
    if (layers === undefined) continue
    const [text, ground] = [color, [0, 0, 0, 0]].map((one) => luminance(paint(layers, one, canvasColour)))
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
    if (ratio < (isLarge ? 3 : 4.5)) {
      const name = [element.tagName.toLowerCase(), ...element.classList].join('.')
      found.push(ratio.toFixed(2) + ' ' + name + ' "' + element.textContent.trim().slice(0, 40) + '"')
    }
  }
  return found
}`

/**
 * The texts that are too faint to be read by everybody, as WCAG 1.4.3 counts it, each with its ratio; of a part, if one is
 * named. Left out is what axe leaves out: what is disabled, not drawn, drawn on a picture, or a single character.
 */
export function faintTexts(frame: Frame, part = 'html'): Promise<readonly string[]> {
  return frame.evaluate<readonly string[]>(`(${script})(${JSON.stringify(part)})`)
}
