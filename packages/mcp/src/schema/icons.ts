import type { Icon } from './metadata.ts'

/** Types of pictures that can be shown and are recognised by their first bytes. */
const iconTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const

/** A kind of picture that can be shown. */
export type IconType = (typeof iconTypes)[number]

/** Limits for an icon. */
export interface IconLimits {
  /** Kinds to take; without `image/svg+xml` no picture can hold a program. @defaultValue all we know */
  readonly types?: readonly IconType[] | undefined
  /** The longest `data:` address. @defaultValue 262_144 */
  readonly dataChars?: number | undefined
}

/** The intended use of an icon. */
export interface IconPreference extends IconLimits {
  /** The edge of the square it fills, in pixels. */
  readonly size?: number | undefined
  /** The background it stands on. */
  readonly theme?: 'light' | 'dark' | undefined
}

/**
 * Whether an icon of a peer's may be looked at: an `https:` or `data:` address of a kind of picture we know. What is
 * fetched from there is still anybody's: ask {@link iconTypeOf} what it is.
 */
export function isSafeIcon({ src, mimeType }: Icon, limits: IconLimits = {}): boolean {
  const { types = iconTypes, dataChars = 262_144 } = limits
  const type = mimeType === undefined ? undefined : knownType(mimeType)
  const isSayable = mimeType === undefined || (type !== undefined && types.includes(type))
  const url = isSayable ? parse(src) : undefined
  if (url === undefined) return false
  const { protocol, username, password } = url
  if (protocol === 'https:') return username === '' && password === ''
  if (protocol !== 'data:' || src.length > dataChars) return false
  const current = knownType(/^data:([^,]*)/i.exec(src.trim())?.[1] ?? '')
  return (
    current !== undefined && types.includes(current) && (type === undefined || type === current)
  )
}

/** The same as in `rpc/address/ip-address.ts`, which is to the right of this layer. */
function parse(src: string): URL | undefined {
  try {
    return new URL(src)
  } catch {
    return undefined
  }
}

/** The best of the safe ones for a place, or none. Without sizes an icon fits any, without a theme it suits any. */
export function pickIcon(icons: readonly Icon[] = [], wish: IconPreference = {}): Icon | undefined {
  const { size, theme } = wish
  const fitting = icons.filter(
    (icon) =>
      isSafeIcon(icon, wish) &&
      (theme === undefined || icon.theme === undefined || icon.theme === theme),
  )
  const ranked = fitting.map((icon) => ({
    icon,
    misfit: size === undefined ? 0 : misfitOf(icon, size),
    isMeant: icon.theme !== undefined && icon.theme === theme,
  }))
  const [best] = ranked.toSorted(
    (a, b) => a.misfit - b.misfit || Number(b.isMeant) - Number(a.isMeant),
  )
  return best?.icon
}

/** Which kind of picture bytes are, whatever anybody says about them; undefined for none that we know. */
export function iconTypeOf(bytes: Uint8Array): IconType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp'
  const text = new TextDecoder().decode(bytes.subarray(0, 4_096)) // drops a byte order mark
  return svgStart.test(text) ? 'image/svg+xml' : undefined
}

/** Matches what may precede the picture: a declaration, comments, a document type. */
const svgStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/

/** A picture made smaller looks better than one made larger; one for any size fits every one. */
function misfitOf({ sizes }: Icon, wanted: number): number {
  if (sizes === undefined || sizes.includes('any')) return 0
  const edges = sizes.map((size) => Number(/^(\d{1,5})x\d{1,5}$/.exec(size)?.[1] ?? 0))
  return Math.min(...edges.map((edge) => (edge >= wanted ? edge - wanted : 1e6 + wanted - edge)))
}

/** `image/jpg` is not a registered type, but widely used. */
function knownType(mimeType: string): IconType | undefined {
  const [essence = ''] = mimeType.toLowerCase().split(';')
  const name = essence.trim() === 'image/jpg' ? 'image/jpeg' : essence.trim()
  return iconTypes.find((type) => type === name)
}
