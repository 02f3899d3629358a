import type { Page } from './page.ts'

/** What a host said about a page, to ask whether it is still the same. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** Pages worth asking for again only if they changed. */
export interface PageCache {
  get(key: string): CachedPage | undefined
  keep(key: string, entry: CachedPage): void
}

/** A page and how to recognise it. */
export interface CachedPage {
  readonly page: Page
  readonly validators: Validators
}

const maxPages = 100

/** Keeps so many characters; the page used longest ago makes room. */
export function createPageCache(maxLength = 16 * 1024 * 1024): PageCache {
  const entries = new Map<string, CachedPage>()
  let length = 0

  function forget(key: string): void {
    length -= entries.get(key)?.page.text.length ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry) // the last to be used is the last to be forgotten
      return entry
    },
    keep(key, entry) {
      forget(key)
      if (entry.page.text.length > maxLength / 4) return
      entries.set(key, entry)
      length += entry.page.text.length
      for (const oldest of entries.keys()) {
        if (entries.size <= maxPages && length <= maxLength) break
        forget(oldest)
      }
    },
  }
}

/** What can be asked about a page later; nothing if the host does not want it kept. */
export function validatorsOf(headers: Headers): Validators | undefined {
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) return undefined
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')]
  if (etag === null && lastModified === null) return undefined
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) }
}

/** Headers that ask for a page only if it is another one now. */
export function ifChanged({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}
