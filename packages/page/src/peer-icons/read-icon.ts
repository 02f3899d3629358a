import { iconTypeOf, pickIcon, type Icon } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { listOf, textOf } from '../json.ts'
import { decodeBase64 } from '../parts/text/base64.ts'

/** Of a picture that stands in a list. */
const maxDataCharacters = 100_000
const maxIcons = 50

/** The icon of a peer to show: in the message itself, or at an address that is asked only when somebody agrees. */
export type PeerIcon =
  | { readonly kind: 'inline'; readonly url: string }
  | { readonly kind: 'remote'; readonly src: string; readonly host: string }

/** The best of what a server sent as icons that may be shown; none where there is none. */
export function readIcon(icons: unknown, theme: 'light' | 'dark'): PeerIcon | undefined {
  const parsed = listOf(icons).slice(0, maxIcons).flatMap(toIcon)
  const wish = { size: 40, theme, dataChars: maxDataCharacters }
  // What comes with the message costs nobody anything, so it goes first.
  const inline = pickIcon(
    parsed.filter(({ src }) => /^data:/i.test(src)),
    wish,
  )
  const url = inline && readData(inline.src)
  if (url !== undefined) return { kind: 'inline', url }
  const remote = pickIcon(
    parsed.filter(({ src }) => /^https:/i.test(src)),
    wish,
  )
  return remote && { kind: 'remote', src: remote.src, host: new URL(remote.src).host }
}

/** As an address that holds the picture: of the type of its bytes, and only where that is the one it claims. */
function readData(src: string): string | undefined {
  const [, type = '', isBase64, data = ''] =
    /^data:([^,;]*)[^,]*?(;base64)?,(.*)$/is.exec(src) ?? []
  const bytes = isBase64 === undefined ? decodePercent(data) : decodeBase64(data)
  const found = bytes && iconTypeOf(bytes)
  if (bytes === undefined || found === undefined) return undefined
  const claimed = type.trim().toLowerCase().replace('image/jpg', 'image/jpeg')
  return found === claimed ? toDataUrl(found, encodeBase64(bytes)) : undefined
}

/** A picture that is only ever the source of an `img`, where no script of an SVG runs and nothing is loaded. */
export function toDataUrl(type: string, base64: string): string {
  return `data:${type};base64,${base64}`
}

function toIcon(value: unknown): readonly Icon[] {
  if (!isJsonObject(value)) return []
  const src = textOf(value['src'])
  const mimeType = textOf(value['mimeType'])
  const { theme } = value
  const sizes = listOf(value['sizes']).flatMap((size) => textOf(size) ?? [])
  if (src === undefined) return []
  return [
    {
      src,
      ...(mimeType !== undefined && { mimeType }),
      ...(sizes.length > 0 && { sizes }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    },
  ]
}

function decodePercent(text: string): Uint8Array | undefined {
  try {
    return new TextEncoder().encode(decodeURIComponent(text))
  } catch {
    return undefined
  }
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
