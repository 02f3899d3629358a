import { parseUrl } from '../../../rpc/address/parse-url.ts'

/**
 * The origin of the web page this runs in, if the address is of another one. Browsers hide from a page why such a
 * server could not be reached, so an error has to name what is most often the reason.
 */
export function foreignPageOrigin(address: string): string | undefined {
  const { location } = globalThis as { location?: { readonly origin?: unknown } } // only pages and their workers have one
  const origin = location?.origin
  const own = parseUrl(address.replace(/^ws/i, 'http'))?.origin
  return typeof origin !== 'string' || own === undefined || own === origin ? undefined : origin
}

/** The hint of the error. */
export function pageOriginHint(origin: string): string {
  return `If the server runs, name the origin of the page there: allowedOrigins: ['${origin}'].`
}
